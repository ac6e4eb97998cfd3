"""Values as JSON has them: Python and numpy values in, JSON text in and out, nested as deep as a document may be."""
