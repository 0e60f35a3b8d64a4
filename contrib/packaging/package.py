# SPDX-License-Identifier: GPL-2.0-or-later
#
# librasim for spack, from the archive of "make dist" in the present folder:
#
#   spack repo create ~/libra && mkdir ~/libra/packages/librasim
#   cp contrib/packaging/package.py ~/libra/packages/librasim/
#   spack repo add ~/libra
#   spack install --no-checksum librasim
#
# Newer releases of spack create the folder with a name space below ~/libra.
import os

from spack.package import *


class Librasim(AutotoolsPackage):
    """Simulator of deadline admission control for Slurm."""

    manual_download = True
    url = f"file://{os.getcwd()}/slurm-libra-0.3.0.tar.xz"

    license("GPL-3.0-or-later")

    version("0.3.0")

    variant("pictures", default=True, description="draw figures with gnuplot")

    depends_on("c", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("gsl@2.7:")
    depends_on("jansson@2.14:")
    depends_on("libconfuse@3.3:")
    depends_on("libdeflate@1.10:")
    depends_on("libmd")
    depends_on("zlib-api")
    depends_on("zstd@1.4:")
    depends_on("gnuplot", type="run", when="+pictures")

    def configure_args(self):
        return ["--without-slurm"]
