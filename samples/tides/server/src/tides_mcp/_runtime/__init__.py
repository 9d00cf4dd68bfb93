"""The operations of this package and how they become requests: plain values and the code that serves them."""
