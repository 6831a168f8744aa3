# What the container of the gpu workflow runs: the repository in /given, results to /out.
# The environment is the image's, and so main's: there is no network to install another.
set -euo pipefail
cd /book
find . -mindepth 1 -maxdepth 1 ! -name .venv -exec rm -rf {} +
cp -R /given/. .
touch .venv/ready
mkdir -p /out/results

make gpu 2>&1 | tee /out/results/gpu.txt
.venv/bin/python -m kernels.compile 2>&1 | tee /out/results/compile.txt
make site 2>&1 | tee /out/results/site.txt
cp docs/reference/*.toml /out/results/
[ ! -d docs/reference/kernels-bench ] || cp -R docs/reference/kernels-bench /out/results/
cp -R site /out/site
cp -R .cache/proofread /out/store
