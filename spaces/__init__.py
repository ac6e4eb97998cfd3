"""Every metric in a browser: Gradio apps, one a family, and one for all of them."""
