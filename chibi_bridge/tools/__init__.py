"""Tools written in Scheme: loading, describing, checking and calling them."""
