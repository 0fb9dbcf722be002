package io.ballast.cli.dns;

import io.ballast.config.BallastConfig;
import io.ballast.config.load.ConfigException;
import io.ballast.config.load.ConfigLoader;
import io.ballast.config.load.ConfigReport;
import io.ballast.core.ErrorText;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.net.IpAddress;
import io.ballast.core.pool.Topology;
import io.ballast.core.pool.TopologyBuilder;
import io.ballast.discovery.names.NameResolver;
import io.ballast.discovery.names.SystemLookup;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsForwardConfig;
import io.ballast.dns.forward.FilterTestResult;
import io.ballast.dns.forward.ForwardingState;
import io.ballast.dns.forward.ListSetup;
import io.ballast.dns.wire.NameHash;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.xbill.DNS.Type;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code lb dns test}: explains the handling of a query for a name outside the zones. */
@Command(
        name = "test",
        description = "Tests a query for a name outside the zones: its outcome, and the deciding rule with its list."
                + " Lists are read from their files; for downloaded lists, the version in data_dir is used.",
        mixinStandardHelpOptions = true)
final class DnsTestCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Parameters(index = "0", paramLabel = "NAME", description = "The queried name.")
    private String name;

    @Parameters(index = "1", paramLabel = "FILE", description = "The configuration file.")
    private Path file;

    @Option(names = "--from", paramLabel = "ADDRESS", description = "The address of the client (default: 127.0.0.1).")
    private String from = "127.0.0.1";

    @Option(names = "--type", paramLabel = "TYPE", description = "The queried record type (default: A).")
    private String type = "A";

    @Override
    public Integer call() {
        try {
            print(test(ConfigLoader.ofProcess().load(file).config()));
            return 0;
        } catch (ConfigException e) {
            return new ConfigReport(spec.commandLine().getErr()).printFailure(e);
        } catch (IOException | IllegalArgumentException e) {
            spec.commandLine().getErr().println("lb: " + ErrorText.of(e));
            spec.commandLine().getErr().flush();
            return 1;
        }
    }

    private FilterTestResult test(BallastConfig config) throws IOException {
        DnsForwardConfig forward = config.dns()
                .flatMap(dns -> dns.forward())
                .orElseThrow(() -> new IllegalArgumentException(
                        file + ": DNS forwarding is not configured (expected: dns.forward)"));
        int number = Type.value(type.toUpperCase(Locale.ROOT));
        if (number <= 0) {
            throw new IllegalArgumentException("--type " + type + ": unknown (expected: a record type, such as AAAA)");
        }
        Topology pools = new TopologyBuilder(
                        new NameResolver(SystemLookup.ofProcess(), Runnable::run), 1, Clock.systemUTC())
                .build(config.pools());
        NameHash hash = NameHash.random();
        try (ControlPlane control = ControlPlane.start(Clock.systemUTC())) {
            ForwardingState state = new ForwardingState(hash, ListSetup.withoutUpdates(control, config.dataDir()));
            ForwardingState.Prepared prepared = state.prepare(forward, pools);
            try {
                return FilterTestResult.of(prepared.forwarding(), hash, name, number, IpAddress.parse(from));
            } finally {
                state.abandon(prepared);
            }
        }
    }

    /** Prints the result of the test. The test sends no queries and does not affect a running balancer. */
    private void print(FilterTestResult test) {
        PrintWriter out = spec.commandLine().getOut();
        out.println(name + " for " + from + ": " + test.outcome().name().toLowerCase(Locale.ROOT));
        test.group()
                .filter(group -> !group.equals(DnsClientGroup.DEFAULT_NAME))
                .ifPresent(group -> out.println("group:  " + group));
        test.rule()
                .ifPresent(rule -> out.println(
                        "rule:   " + rule.text() + " (list " + rule.list() + ", line " + rule.line() + ")"));
        test.answer().ifPresent(answer -> out.println("answer: " + answer));
        test.pool().ifPresent(pool -> out.println("pool:   " + pool));
        test.subnet().ifPresent(subnet -> out.println("subnet: " + subnet));
        out.flush();
    }
}
