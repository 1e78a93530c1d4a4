"""Stored scores of metrics: tables, comparisons of systems, the segments behind them, files."""
