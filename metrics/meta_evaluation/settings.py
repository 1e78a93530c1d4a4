"""What a reader of metrics against people may choose."""

from dataclasses import asdict, dataclass

from .study import Choice


@dataclass(frozen=True)
class Settings:
    """Clean values; dimension None is for comparisons, metric is a column's slug."""

    dimension: str | None
    method: str
    over: str
    humans: str
    grouping: str
    compared: str
    metric: str

    @property
    def choice(self) -> Choice:
        return Choice(self.dimension, self.method, self.over, self.humans)

    def query(self) -> dict[str, str]:
        """As the address of a page says it."""
        return {name: value for name, value in asdict(self).items() if value is not None}
