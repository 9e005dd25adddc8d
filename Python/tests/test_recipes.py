"""The recipes of docs/clusters.md for engines of others, as they are there; each is left out where its engine is not.

SPDX-License-Identifier: Apache-2.0
"""
import json
import os
import re
import shutil
import subprocess

import pytest
from conftest import UNITS, guide, results

import auricle
from auricle._runs import words

SHARDS = 4


@pytest.fixture
def run(sounds, tmp_path, monkeypatch):
    """A run that is planned into ``out`` of the working folder, with the program on the search path."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin" / "auricle").symlink_to(os.path.abspath(auricle.program()))
    monkeypatch.setenv("PATH", f"{tmp_path}/bin:{os.environ['PATH']}")
    subprocess.run(["auricle", "plan", "--shards", str(SHARDS), *words([sounds], None, UNITS, "out", {})], check=True)
    return tmp_path / "out"


def check(run, whole):
    assert subprocess.run(["auricle", "unfinished", run], capture_output=True, text=True).stdout == ""
    subprocess.run(["auricle", "merge", run], check=True)
    subprocess.run(["auricle", "verify", run], check=True)
    assert results(run) == whole


def test_the_commands_in_the_order_of_the_guide(sounds, tmp_path, monkeypatch, run):
    shutil.rmtree(run)
    (tmp_path / "in").rename(tmp_path / "clips")
    subprocess.run(["sh", "-e", "-c", guide("clusters.md", "sh", "--shards 4")], check=True)
    assert len(results(run)) == len(list((tmp_path / "clips").rglob("*.wav")))


@pytest.mark.skipif(shutil.which("parallel") is None, reason="there is no parallel")
@pytest.mark.parametrize("hosts", [None, "n1,n2"])
def test_gnu_parallel(run, whole, tmp_path, hosts):
    command = guide("clusters.md", "sh", "parallel").strip()
    if hosts:
        # The same handling of arguments as in ssh, on this machine.
        ssh = tmp_path / "ssh"
        ssh.write_text(f'#!/bin/sh\necho "$1" >> {tmp_path}/hosts\nshift\n[ "$1" != -- ] || shift\n'
                       f'cd {tmp_path} && SHELL=/bin/sh exec sh -c "$*"\n')
        ssh.chmod(0o755)
        command = command.replace("parallel", f"parallel --ssh {ssh} --sshlogin {hosts}", 1)
    subprocess.run(["sh", "-e", "-c", command], check=True, env={**os.environ, "PARALLEL_HOME": str(tmp_path / "parallel")})
    if hosts:
        assert {"n1", "n2"} <= set((tmp_path / "hosts").read_text().split())
    check(run, whole)


def test_dask(run, whole):
    distributed = pytest.importorskip("distributed")
    text = guide("clusters.md", "python", "dask").replace("range(100)", f"range({SHARDS})")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, resources={"cores": 1}, dashboard_address=None) as cluster:
        names = {}
        exec(compile(text.replace("tcp://scheduler:8786", cluster.scheduler_address), "clusters.md", "exec"), names)
        names["client"].close()
    check(run, whole)


def test_the_manifest_of_kubernetes(run, whole):
    kubernetes = pytest.importorskip("kubernetes_validate")
    import yaml
    job = yaml.safe_load(guide("clusters.md", "yaml", "batch/v1"))
    kubernetes.validate(job, kubernetes.latest_version(), strict=True)
    rules = {rule["action"]: rule["onExitCodes"]["values"] for rule in job["spec"]["podFailurePolicy"]["rules"]
             if "onExitCodes" in rule}
    assert rules == {"FailJob": [4], "FailIndex": [64, 65, 66]}
    command = [word.replace("/data/out", str(run)) for word in job["spec"]["template"]["spec"]["containers"][0]["command"]]
    for index in range(SHARDS):
        done = subprocess.run(command, env={**os.environ, "JOB_COMPLETION_INDEX": str(index)})
        assert done.returncode == 0
    # An index that is not there fails alone.
    done = subprocess.run(command, env={**os.environ, "JOB_COMPLETION_INDEX": "99"}, stderr=subprocess.DEVNULL)
    assert done.returncode in rules["FailIndex"]
    check(run, whole)


def test_the_job_of_aws_batch(run, whole):
    session = pytest.importorskip("botocore.session")
    from botocore.validate import ParamValidator
    job = json.loads(guide("clusters.md", "json", "jobQueue"))
    shape = session.get_session().get_service_model("batch").operation_model("SubmitJob").input_shape
    report = ParamValidator().validate(job, shape)
    assert not report.has_errors(), report.generate_report()
    rules = job["retryStrategy"]["evaluateOnExit"]

    def action(code):
        return next(rule["action"] for rule in rules
                    if "onExitCode" in rule and re.fullmatch(rule["onExitCode"].replace("*", ".*"), str(code)))
    assert [action(code) for code in (75, 65, 4, 1)] == ["RETRY", "EXIT", "EXIT", "EXIT"]
    command = [word.replace("/data/out", str(run)) for word in job["containerOverrides"]["command"]]
    for index in range(SHARDS):
        subprocess.run(command, check=True, env={**os.environ, "AWS_BATCH_JOB_ARRAY_INDEX": str(index)})
    check(run, whole)
