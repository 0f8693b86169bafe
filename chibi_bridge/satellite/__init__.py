"""The satellite: tools and hooks served from a process of their own, and the protocol they speak."""
