package io.ballast.dns.testing.partner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.xbill.DNS.Message;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/** A running partner. Failed assertions include its output. */
public final class PartnerProcess implements AutoCloseable {

    private static final long TIMEOUT_SECONDS = 60;

    private final Peering peering;
    private final Path config;
    private final Path output;
    private final Process process;

    private PartnerProcess(Peering peering, Path config, Path output, Process process) {
        this.peering = peering;
        this.config = config;
        this.output = output;
        this.process = process;
    }

    /** Skips the test if the partner is not installed. */
    public static void require(Partner partner) {
        assumeTrue(find(partner) != null, partner.program() + " is not installed");
    }

    private static Path find(Partner partner) {
        return Stream.of("/usr/sbin", "/usr/bin", "/usr/local/sbin", "/usr/local/bin")
                .map(each -> Path.of(each, partner.program()))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /** Starts a partner; returns as soon as the partner answers any query. */
    public static PartnerProcess start(Partner partner, Peering peering, String text) throws Exception {
        Path config = Files.writeString(peering.directory().resolve(partner.program() + ".conf"), text);
        Path output = peering.directory().resolve(partner.program() + ".out");
        List<String> command = new ArrayList<>(List.of(String.valueOf(find(partner))));
        command.addAll(partner.arguments(config));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        PartnerProcess started = new PartnerProcess(peering, config, output, process);
        try {
            started.await(() -> started.query("version.bind") != null);
        } catch (Exception | Error e) {
            started.close();
            throw e;
        }
        return started;
    }

    /** Reloads the configuration and zones of the partner. */
    public void reload() throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-HUP", String.valueOf(process.pid())).start();
        assertThat(kill.waitFor()).isZero();
    }

    /** Reloads with another configuration. */
    public void reload(String text) throws IOException, InterruptedException {
        Files.writeString(config, text);
        reload();
    }

    /** Waits until the partner answers queries for a name with these addresses, in any order. */
    public void awaitAddresses(String name, String... addresses) throws Exception {
        List<String> expected = Stream.of(addresses).sorted().toList();
        await(() -> addresses(name).equals(expected));
    }

    /** Returns the addresses with which the partner answers queries for a name, sorted. */
    public List<String> addresses(String name) throws IOException {
        return Messages.answers(query(name)).stream().sorted().toList();
    }

    /** Returns the response code of the partner for a name. */
    public int rcode(String name) throws IOException {
        return query(name).getRcode();
    }

    /** Whether the partner has keys for a zone. */
    public boolean isSigned(String zone) throws IOException {
        return !query(zone, Type.DNSKEY).getSection(Section.ANSWER).isEmpty();
    }

    private Message query(String name) throws IOException {
        return query(name, Type.A);
    }

    private Message query(String name, int type) throws IOException {
        SimpleResolver resolver = new SimpleResolver(Reload.socketAddress(peering.partner()));
        resolver.setTCP(true);
        return resolver.send(Messages.query(name, type));
    }

    /** Waits until the condition holds. An {@link IOException} counts as false, since the server may not listen yet. */
    public void await(Callable<Boolean> condition) throws Exception {
        long started = System.nanoTime();
        while (!holds(condition)) {
            assertThat(process.isAlive()).as(this::output).isTrue();
            assertThat(System.nanoTime() - started)
                    .as(this::output)
                    .isLessThan(TimeUnit.SECONDS.toNanos(TIMEOUT_SECONDS));
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static boolean holds(Callable<Boolean> condition) throws Exception {
        try {
            return condition.call();
        } catch (IOException e) {
            return false;
        }
    }

    /** Returns the log of the partner. */
    public String output() {
        try {
            return Files.readString(output);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        assertThat(process.waitFor(TIMEOUT_SECONDS, TimeUnit.SECONDS)).isTrue();
    }
}
