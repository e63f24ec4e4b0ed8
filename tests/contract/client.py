"""Works with findings through the generated client; run by tests/contract/document."""

import importlib
import os
import pkgutil
import uuid

import tidewall_client
from tidewall_client import AuthenticatedClient
from tidewall_client.api.findings import create_finding, get_finding, list_findings, update_finding
from tidewall_client.models import FindingChange, FindingStatus, NewFinding, Severity

for module in pkgutil.walk_packages(tidewall_client.__path__, "tidewall_client."):
    importlib.import_module(module.name)

client = AuthenticatedClient(base_url=os.environ["TIDEWALL_URL"], token=os.environ["TIDEWALL_KEY"])

listed = list_findings.sync_detailed(client=client, limit=5, severity=[Severity.HIGH])
assert listed.status_code == 200, listed
assert len(listed.parsed.data) == listed.parsed.meta.count > 0
assert {finding.severity for finding in listed.parsed.data} == {Severity.HIGH}
assert int(listed.headers["X-RateLimit-Remaining"]) < int(listed.headers["X-RateLimit-Limit"])
again = list_findings.sync_detailed(
    client=client, limit=5, severity=[Severity.HIGH], if_none_match=listed.headers["ETag"]
)
assert again.status_code == 304, again

new = NewFinding(title="Restore exceeds the recovery time objective", severity=Severity.HIGH)
attempt = str(uuid.uuid4())
created = create_finding.sync_detailed(client=client, body=new, idempotency_key=attempt)
assert created.status_code == 201, created
finding = created.parsed.data
assert finding.status == FindingStatus.OPEN and finding.title == new.title
assert created.headers["Location"] == f"/api/v1/findings/{finding.id}"
repeated = create_finding.sync_detailed(client=client, body=new, idempotency_key=attempt)
assert repeated.headers["Idempotency-Replayed"] == "true" and repeated.parsed.data.id == finding.id

read = get_finding.sync_detailed(finding.id, client=client)
change = FindingChange(status=FindingStatus.IN_PROGRESS, owner="Dana Weber")
changed = update_finding.sync_detailed(finding.id, client=client, body=change, if_match=read.headers["ETag"])
assert changed.status_code == 200, changed
assert changed.parsed.data.status == FindingStatus.IN_PROGRESS
late = update_finding.sync_detailed(finding.id, client=client, body=change, if_match=read.headers["ETag"])
assert late.status_code == 412 and late.parsed.error, late

read = get_finding.sync_detailed(finding.id, client=client)
assert read.parsed.data.owner == "Dana Weber"
assert [step.to for step in read.parsed.data.history] == ["open", "in_progress"]
refused = create_finding.sync_detailed(client=client, body=NewFinding(title="", severity=Severity.HIGH))
assert refused.status_code == 422 and "title" in refused.parsed.details.additional_properties, refused
client.get_httpx_client().close()
