"""How a language that clubs read writes dates, where Django writes them otherwise."""
