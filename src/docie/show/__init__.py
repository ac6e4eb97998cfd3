"""What people look at: tables, charts and pages."""
