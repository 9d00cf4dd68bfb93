"""Write: Files and the disk become a Plan, and the Plan is carried out."""
