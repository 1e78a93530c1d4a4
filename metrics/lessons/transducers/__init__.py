"""The page that translates a sentence by composing machines, step by step, and draws them."""
