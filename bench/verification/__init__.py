"""Whether a run is what its actions lead to."""

from __future__ import annotations

from typing import TYPE_CHECKING

from omnipilot.envs import lazy_exports

if TYPE_CHECKING:
    from omnipilot.bench.verification.bundle_checks import BundleVerification as BundleVerification
    from omnipilot.bench.verification.bundle_checks import verify_bundle as verify_bundle
    from omnipilot.bench.verification.pack import PackedRun as PackedRun
    from omnipilot.bench.verification.pack import pack_run as pack_run
    from omnipilot.bench.verification.rerender import Rerendering as Rerendering
    from omnipilot.bench.verification.rerender import rerender_run as rerender_run
    from omnipilot.bench.verification.verify import Verification as Verification
    from omnipilot.bench.verification.verify import verify_run as verify_run

__all__, __getattr__, __dir__ = lazy_exports(__name__)
