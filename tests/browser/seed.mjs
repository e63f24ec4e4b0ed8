// A few records of our own, so that every page has something to show whatever the demo brings.

const inDays = (days) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

/** Fills the demo tenant and returns the addresses of what was made. */
export async function seed({ api }) {
  const programme = await api("POST", "/programmes", {
    name: "Resilience testing of payments", framework: "dora", owner: "Anna Weber",
    description: "Yearly programme under Art. 24: every critical or important function is tested, the payment chain first.",
    starts_on: inDays(-120), ends_on: inDays(210), functions: ["Instant payments", "Card processing", "Core banking"],
  });
  await api("PATCH", `/programmes/${programme.id}`, { status: "active" });
  const cases = [];
  for (const [title, test_type, priority, moves, due] of [
    ["Restore of the ledger within four hours", "scenario_based_test", "critical", ["ready", "in_progress", "failed"], -3],
    ["Penetration test of the customer portal", "penetration_testing", "high", ["ready", "in_progress"], 12],
    ["Review of open-source components", "open_source_analysis", "medium", ["ready"], 40],
    ["Failover of the payment switch", "end_to_end_testing", "high", ["ready", "in_progress", "passed"], 20],
  ]) {
    const made = await api("POST", "/test-cases", {
      programme_id: programme.id, title, test_type, priority, assignee: "Cleo Brandt", due_on: inDays(due),
      objective: "Show that the function comes back within its recovery time objective.",
      steps: ["Announce the test", "Stop the primary site", "Measure the time to the first settled payment"],
      expected_result: "All open payments settle within two hours.",
    });
    for (const status of moves) await api("PATCH", `/test-cases/${made.id}`, { status });
    cases.push(made);
  }
  const findings = [];
  for (const [title, severity, moves, due] of [
    ["Backups are not restored before they are needed", "critical", ["in_progress"], -5],
    ["Customer portal accepts TLS 1.1", "high", [], 6],
    ["Exit plan of the cloud provider was never rehearsed", "high", ["in_progress"], 25],
    ["Service accounts without an owner", "medium", [], 45],
    ["Alerts of the payment switch reach one person only", "medium", ["in_progress", "resolved"], 60],
    ["Runbook names a retired data centre", "low", [], null],
  ]) {
    const made = await api("POST", "/findings", {
      title, severity, programme_id: programme.id, test_case_id: cases[0].id, owner: "Mark Sommer",
      affected_asset: "Payment chain", detected_at: `${inDays(-30)}T09:30:00Z`, due_on: due === null ? null : inDays(due),
      description: "Seen during the test of the recovery plan; the log of the exercise has the details.",
      remediation: "Restore a sample every month and keep the record of it.",
    });
    for (const status of moves) await api("PATCH", `/findings/${made.id}`, { status, note: "Taken up by the platform team" });
    findings.push(made);
  }
  const report = await api("POST", "/cra/reports", {
    kind: "exploited_vulnerability", title: "Session tokens readable in the gateway's log", severity: "critical",
    product: { name: "Vault gateway", version: "4.2" }, cve: "CVE-2026-41234", member_states: ["DE", "AT"],
    aware_at: new Date(Date.now() - 5 * 3_600_000).toISOString(),
    description: "Exploited at two customers; access to the log was closed at once.",
  });
  const incident = await api("POST", "/incidents", {
    title: "Card payments refused since the certificate of the gateway expired", regimes: ["dora", "nis2", "gdpr", "cra"],
    description: "Every card payment is refused with an error of the gateway.", owner: "Anna Weber",
    functions: ["Card processing"], findings: [findings[0].id], root_cause: "Expired certificate",
    facts: { critical_services: true, malicious_access: true, product_security: true, clients_affected: 9400, clients_total: 48000 },
  });
  await api("POST", `/incidents/${incident.id}/classify`, {});
  await api("POST", `/incidents/${incident.id}/log`, { kind: "call", text: "Called the head of payments" });
  const drillRun = await api("POST", "/drill-runs", {
    scenario: "drill-ransomware-core-banking", planned_for: inDays(0), participants: ["Anna Weber", "Cleo Brandt"],
  });
  await api("POST", `/drill-runs/${drillRun.id}/start`, {});
  const webhook = await api("POST", "/webhooks", {
    name: "ICT risk channel", channel: "email", url: "mailto:ict-risk@demo.example", events: ["finding.created"],
  });
  await api("POST", "/concentration-risk/analyze", {});
  const [arrangement] = await api("GET", "/ict-arrangements");
  return {
    arrangement: `/workspace/ict-arrangements/${arrangement.id}`,
    programme: `/workspace/programmes/${programme.id}`,
    testCase: `/workspace/test-cases/${cases[0].id}`,
    finding: `/workspace/findings/${findings[0].id}`,
    incident: `/workspace/incidents/${incident.id}`,
    drillRun: `/workspace/drill-runs/${drillRun.id}`,
    report: `/workspace/cra-reports/${report.id}`,
    webhook: `/workspace/webhooks/${webhook.id}`,
  };
}
