package io.ballast.cli.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.cli.TestedCommands;
import io.ballast.dns.dnssec.key.KeyAlgorithm;
import io.ballast.dns.dnssec.key.KeyDirectory;
import io.ballast.dns.dnssec.key.ZoneKeySet;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DnssecCommandTest {

    private static final String ZONE = "signed.example";

    @TempDir
    private Path directory;

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private Path file;
    private KeyDirectory keys;

    @BeforeEach
    void configure() throws IOException {
        Path data = directory.resolve("data");
        file = Files.writeString(
                directory.resolve("lb.yaml"),
                "data_dir: " + data + "\n"
                        + "dns:\n"
                        + "  listeners: [{bind: 127.0.0.1:5353}]\n"
                        + "  zones: [{name: signed.example, dnssec: true}, {name: plain.example}]\n");
        keys = new KeyDirectory(data, ZONE);
    }

    private int makeKey() throws IOException {
        return ZoneKeySet.loadOrCreate(Instant.now(), keys, KeyAlgorithm.ECDSAP256SHA256)
                .active()
                .tag();
    }

    @Test
    void printsDsInZoneFileFormat() throws IOException {
        int tag = makeKey();

        int exitCode = dnssec("ds", "Signed.Example.");

        assertThat(err.toString()).isEmpty();
        assertThat(exitCode).isZero();
        assertThat(out.toString()).matches("signed\\.example\\. 86400 IN DS " + tag + " 13 2 [0-9A-F]{64}\\R");
    }

    @Test
    void unsignedZoneErrorListsSignedZones() {
        assertThat(dnssec("ds", "plain.example")).isEqualTo(2);
        assertThat(err)
                .hasToString("lb: zone 'plain.example' is not a signed zone (expected: one of signed.example)"
                        + System.lineSeparator());
    }

    @Test
    void zoneWithoutKeysExplainsTheirCreation() {
        assertThat(dnssec("ds", ZONE)).isEqualTo(1);
        assertThat(err.toString()).contains(keys.path() + ": no keys found; the first start of 'lb run' creates them");
        assertThat(dnssec("rollover", ZONE)).isEqualTo(1);
        assertThat(keys.path()).doesNotExist();
    }

    @Test
    void statusShowsStateAndNextStep() throws IOException {
        int tag = makeKey();

        assertThat(dnssec("status", ZONE)).isZero();

        assertThat(out.toString())
                .contains(
                        tag + " ",
                        "ECDSAP256SHA256",
                        "active",
                        "to begin a rollover, run 'lb dnssec rollover " + file + " signed.example'");
    }

    @Test
    void rolloverRejectsEarlySteps() throws IOException {
        makeKey();

        assertThat(dnssec("rollover", ZONE)).isZero();
        assertThat(out.toString()).contains("published", "add this record to the parent zone", "IN DS");
        assertThat(dnssec("rollover", ZONE, "--step")).isEqualTo(1);
        assertThat(err.toString()).contains("this is not the next step of the rollover; next: DS");
        assertThat(dnssec("rollover", ZONE, "--ds-published")).isZero();
        assertThat(dnssec("rollover", ZONE, "--step")).isEqualTo(1);
        assertThat(err.toString()).contains("too early").containsPattern("\\(wait (1d|1d1s|23h59m[0-9]+s)\\)");
        assertThat(dnssec("rollover", ZONE, "--step", "--force")).isZero();
        assertThat(out.toString())
                .contains("retired", "is removed by 'lb dnssec rollover " + file + " signed.example --step', from");
    }

    @Test
    void fileArgumentPrecedesZone() throws IOException {
        makeKey();

        assertThat(execute(List.of("dnssec", "ds", file.toString(), ZONE))).isZero();
        assertThat(out.toString()).contains("IN DS");
        assertThat(execute(List.of("dnssec", "rollover", "--step", file.toString(), ZONE)))
                .isEqualTo(1);
        assertThat(dnssec("ds", file.toString(), ZONE)).isEqualTo(2);
        assertThat(err.toString()).contains("the configuration file is given twice");
    }

    @Test
    void rejectsSeveralSteps() {
        assertThat(dnssec("rollover", ZONE, "--step", "--ds-published")).isEqualTo(2);
    }

    @Test
    void errorNamesBrokenKeyFile() throws IOException {
        makeKey();
        Path broken = keys.load().get(0).file();
        Files.writeString(broken, "");

        assertThat(dnssec("status", ZONE)).isEqualTo(1);
        assertThat(err.toString()).contains(broken + ": line 'Private-key-format:' is missing");
    }

    private int dnssec(String... arguments) {
        List<String> all = new ArrayList<>(List.of("dnssec"));
        all.addAll(List.of(arguments));
        all.addAll(List.of("--config", file.toString()));
        return execute(all);
    }

    private int execute(List<String> all) {
        return TestedCommands.commandLine()
                .setOut(new PrintWriter(out, /* autoFlush= */ true))
                .setErr(new PrintWriter(err, /* autoFlush= */ true))
                .execute(all.toArray(String[]::new));
    }
}
