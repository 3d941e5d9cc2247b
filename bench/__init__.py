"""What ``make bench`` measures, and how its figures become pages."""
