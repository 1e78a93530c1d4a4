"""Numbers in JSON, which has no NaN."""

import math
from typing import Any

from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers


@extend_schema_field({"type": "number", "format": "double", "nullable": True})
class Number(serializers.Field):
    """A number; null where it is undefined or infinite."""

    def __init__(self, **kwargs):
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> float | None:
        number = float(value)
        return number if math.isfinite(number) else None


@extend_schema_field(OpenApiTypes.INT)
class Count(serializers.Field):
    """A whole number, including NumPy's."""

    def __init__(self, **kwargs):
        super().__init__(read_only=True, **kwargs)

    def to_representation(self, value: Any) -> int:
        return int(value)
