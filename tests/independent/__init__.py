"""The wire, written a second time from the specifications, for tests to compare with: an encoder and a decoder.

They share no code with the runtime, and take the author's words (places, styles, media types), not bindings.
"""
