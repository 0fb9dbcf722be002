package io.ballast.server.compose;

import io.ballast.core.health.BackendExplainer;
import io.ballast.core.stats.Statistic;
import io.ballast.dashboard.source.DashboardSources;
import io.ballast.dashboard.source.DiscoveryStats;
import io.ballast.dashboard.source.DnsForwarding;
import io.ballast.dashboard.source.DnsStatistics;
import io.ballast.dashboard.source.PolicyStats;
import io.ballast.dashboard.source.SharedConfiguration;
import io.ballast.dashboard.source.TelemetryStats;
import io.ballast.discovery.BackendEditor;
import io.ballast.discovery.Discovery;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.report.DnsReportSource;
import io.ballast.http.policy.PolicyStatistics;
import io.ballast.server.host.BuildInfo;
import io.ballast.server.policy.NamedPolicyActivity;
import io.ballast.telemetry.export.ExportCounters;
import java.util.List;
import java.util.Optional;

/** Connects the dashboard to the parts of a balancer. Sources read the current state on each call. */
final class DashboardInputs {

    private final Balancer balancer;

    DashboardInputs(Balancer balancer) {
        this.balancer = balancer;
    }

    DashboardSources sources() {
        return DashboardSources.of(
                        balancer::topology, balancer.control(), BuildInfo.load().version())
                .withReadiness(() -> balancer.lifecycle.readiness(balancer.readiness))
                .withFailureReason(balancer.lifecycle::failureReason)
                .withListeners(() -> balancer.listeners)
                .withPolicies(this::policyStats)
                .withCaches(balancer.cluster().flushes())
                .withDns(this::dnsStats)
                .withDnsServices(() -> balancer.dns()
                        .map(frontend -> new FrontendServices(
                                frontend, balancer.cluster().flushes())))
                .withForwarding(this::forwarding)
                .withDiscovery(this::discoveryStats)
                .withOrderedCertificates(balancer.acme()::orderedCertificates)
                .withOnDemandCertificates(balancer.acme()::onDemandCertificates)
                .withOrderingNode(balancer.acme()::orderingNode)
                .withOnDemandCounts(balancer.acme()::onDemandCounts)
                .withRevoker(balancer.acme()::revoke)
                .withTelemetry(this::telemetryStats)
                .withMembership(balancer.cluster().membership(new GatedMembership(editor(), balancer.gate)))
                .withReloader(balancer.recordingReloader)
                .withOperator(balancer.operator)
                .withCluster(balancer.cluster()::stats)
                .withSharedConfiguration(
                        () -> balancer.cluster().configuration().map(SharedConfiguration.class::cast))
                .withClusterNodes(balancer.cluster().nodes())
                .withClusterSums(balancer.cluster()::sums)
                .withAgents(() -> balancer.agents().directory().map(balancer.cluster()::agents))
                .withOverrides(balancer.externalOverrides)
                .withExplanations(
                        new BackendExplainer(balancer.control(), balancer.health(), balancer::topology)::explain)
                .withConfiguration(new RunningConfiguration(balancer::config))
                .withStalls(balancer.threads.watchdog()::stalls, balancer.threads.watchdog()::starvations);
    }

    private BackendEditor editor() {
        return new BackendEditor(
                balancer.control(),
                balancer.discovery,
                balancer::topology,
                balancer.cluster().backendEdits());
    }

    private Optional<TelemetryStats> telemetryStats() {
        ExportCounters counters = balancer.telemetry().counters();
        return balancer.config()
                .otlp()
                .map(config -> new TelemetryStats(
                        counters.sentSpans(),
                        counters.lostSpans(),
                        counters.droppedTraces(),
                        counters.sentPoints(),
                        counters.lostPoints()));
    }

    private List<PolicyStats> policyStats() {
        return balancer.policies().active().all().stream()
                .map(policy -> new PolicyStats(
                        policy.name(),
                        policy.kind(),
                        policy.dryRun(),
                        Statistic.bindAll(PolicyStatistics.ALL, policy),
                        new NamedPolicyActivity(policy)))
                .toList();
    }

    private Optional<DnsStatistics> dnsStats() {
        return balancer.dns()
                .map(frontend -> new DnsFrontendStats(
                        new DnsReportSource(frontend, balancer.forwarderStats.history()),
                        forwarderConfig().isPresent()));
    }

    /** The DNS queries that this process has received; 0 without DNS. */
    long dnsQueries() {
        return dnsStats().map(DnsStatistics::queries).orElse(0L);
    }

    private Optional<DnsForwarding> forwarding() {
        return balancer.dns()
                .flatMap(frontend -> balancer.config()
                        .dns()
                        .filter(config -> config.forward().isPresent())
                        .map(config -> new FrontendForwarding(frontend, config, balancer.forwarderStats)));
    }

    private Optional<DnsForwardConfig> forwarderConfig() {
        return balancer.config().dns().flatMap(DnsConfig::forward);
    }

    private DiscoveryStats discoveryStats() {
        return new DiscoveryStats(
                balancer.discovery.stats().stream().map(DashboardInputs::stats).toList(),
                balancer.discovery.isRefused());
    }

    private static DiscoveryStats.Source stats(Discovery.SourceStats source) {
        return new DiscoveryStats.Source(
                source.pool(), source.source(), source.backends(), source.lastSuccess(), source.failures());
    }
}
