"""Contracts: what agents see of a server, and what a change of it means for them."""

from toolcast.contract.compare import compare
from toolcast.contract.read import read
from toolcast.model.contract import Advice, Change, Comparison, Contract, Kind, Verdict

__all__ = ["Advice", "Change", "Comparison", "Contract", "Kind", "Verdict", "compare", "read"]
