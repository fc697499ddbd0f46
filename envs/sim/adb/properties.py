"""What the phone says about itself: `getprop`, and the banner of a connection."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

PRODUCT, MODEL, DEVICE = "omnipilot_phone", "Omnipilot_Phone", "omnipilot"
RELEASE, SDK = "14", 34

PROPERTIES: Mapping[str, str] = MappingProxyType(
    {
        "dev.bootcomplete": "1",
        "init.svc.bootanim": "stopped",
        "persist.sys.locale": "en-GB",
        "persist.sys.timezone": "UTC",
        "ro.adb.secure": "0",
        "ro.boot.serialno": "OMNIPILOT0001",
        "ro.build.characteristics": "default",
        "ro.build.date.utc": "1772409600",
        "ro.build.fingerprint": "omnipilot/omnipilot_phone/omnipilot:14/OP1.260302.001/1:userdebug/test-keys",
        "ro.build.id": "OP1.260302.001",
        "ro.build.tags": "test-keys",
        "ro.build.type": "userdebug",
        "ro.build.version.release": RELEASE,
        "ro.build.version.sdk": str(SDK),
        "ro.debuggable": "0",
        "ro.kernel.qemu": "0",
        "ro.product.brand": "omnipilot",
        "ro.product.cpu.abi": "x86_64",
        "ro.product.cpu.abilist": "x86_64",
        "ro.product.device": DEVICE,
        "ro.product.locale": "en-GB",
        "ro.product.manufacturer": "omnipilot",
        "ro.product.model": MODEL.replace("_", " "),
        "ro.product.name": PRODUCT,
        "ro.secure": "1",
        "ro.serialno": "OMNIPILOT0001",
        "service.bootanim.exit": "1",
        "sys.boot_completed": "1",
        "sys.usb.config": "adb",
    }
)
