"""What a package is deployed with, and replicas of its server behind a proxy."""
