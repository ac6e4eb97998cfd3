"""What commands write: tables, rows, reports, and the streams that take them."""
