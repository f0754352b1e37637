raise ValueError("no such luck")
