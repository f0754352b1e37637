"""Solutions may import what lies beside the runner."""


def sum_of(parts):
    return sum(parts)
