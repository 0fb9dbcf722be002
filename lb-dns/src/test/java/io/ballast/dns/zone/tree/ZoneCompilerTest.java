package io.ballast.dns.zone.tree;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.answer.Transport;
import io.ballast.dns.config.zone.DnssecConfig;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.SignedZoneFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests names that have only static records. */
class ZoneCompilerTest {

    private static final String HEAD =
            "@ 300 SOA ns1 host 1 7200 3600 1209600 60\n@ 300 NS ns1\nns1 300 A 192.0.2.53\n";
    private static final int MANY = 60_000;

    @TempDir
    private Path directory;

    private Path file(String records) throws IOException {
        return Files.writeString(directory.resolve("example.zone"), HEAD + records);
    }

    private AnswererClient serve(String records) throws IOException {
        return new AnswererClient(new ZoneFixture().zone("example.com", file(records)));
    }

    @Test
    void answersAllNamesOfLargeZone() throws IOException {
        int names = 3 * EncodingThreads.BLOCK_NAMES + 1;
        StringBuilder records = new StringBuilder();
        for (int i = 0; i < names; i++) {
            records.append("n")
                    .append(i)
                    .append(".x")
                    .append(i % 7)
                    .append(" 60 A 192.0.")
                    .append(i >> 8);
            records.append('.').append(i & 255).append('\n');
        }
        AnswererClient client = serve(records.toString());

        for (int i = 0; i < names; i++) {
            assertThat(Messages.answers(client.query("N" + i + ".x" + i % 7 + ".example.com", Type.A)))
                    .containsExactly("192.0." + (i >> 8) + "." + (i & 255));
        }
        assertThat(client.query("x3.example.com", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(client.query("x7.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(client.query("n0.x1.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
    }

    @Test
    void aliasesAndReferralsMatchFile() throws IOException {
        AnswererClient client = serve("""
                one   300 CNAME two
                two   300 CNAME Three.Sub2
                three.sub2 300 A 192.0.2.3
                out   300 CNAME www.example.net.
                mail  300 MX 10 mail
                mail  300 MX 20 MAIL.example.net.
                sub   300 NS ns.sub
                sub   300 NS ns1
                ns.sub 300 A 192.0.2.54
                """);

        Message chain = client.query("one.example.com", Type.A);
        assertThat(chain.getSection(Section.ANSWER))
                .map(Object::toString)
                .containsExactly(
                        "one.example.com.\t300\tIN\tCNAME\ttwo.example.com.",
                        "two.example.com.\t300\tIN\tCNAME\tThree.Sub2.example.com.",
                        "Three.Sub2.example.com.\t300\tIN\tA\t192.0.2.3");
        assertThat(Messages.answers(client.query("out.example.com", Type.A))).containsExactly("www.example.net.");
        assertThat(Messages.answers(client.query("mail.example.com", Type.MX)))
                .containsExactly("10 mail.example.com.", "20 MAIL.example.net.");
        Message referral = client.query("www.sub.example.com", Type.A);
        assertThat(referral.getHeader().getFlag(Flags.AA)).isFalse();
        assertThat(referral.getSection(Section.AUTHORITY))
                .map(Object::toString)
                .containsExactly(
                        "sub.example.com.\t300\tIN\tNS\tns.sub.example.com.",
                        "sub.example.com.\t300\tIN\tNS\tns1.example.com.");
        assertThat(referral.getSection(Section.ADDITIONAL))
                .map(Object::toString)
                .containsExactly(
                        "ns.sub.example.com.\t300\tIN\tA\t192.0.2.54", "ns1.example.com.\t300\tIN\tA\t192.0.2.53");
    }

    @Test
    void servesNameWithTooManyRecords() throws IOException {
        StringBuilder records = new StringBuilder();
        for (int i = 0; i < 3000; i++) {
            records.append("huge 60 TXT \"").append("x".repeat(240)).append(i).append("\"\n");
        }
        AnswererClient client = serve(records + "huge 60 A 192.0.2.1\nnext 60 A 192.0.2.2\n");

        Message huge = client.query(Messages.query("huge.example.com", Type.TXT), Transport.TCP);

        assertThat(huge.getHeader().getFlag(Flags.TC)).isTrue();
        assertThat(Messages.answers(client.query("huge.example.com", Type.A))).containsExactly("192.0.2.1");
        assertThat(Messages.answers(client.query("next.example.com", Type.A))).containsExactly("192.0.2.2");
    }

    @Test
    void freshSignaturesAreReused() throws IOException {
        ZoneFixture fixture = new ZoneFixture().signed(DnssecConfig.DEFAULT);
        fixture.zone("example.com", file("www 300 A 192.0.2.1\nwww 300 TXT hello\n"));
        ManualScheduler scheduler = new ManualScheduler();
        try (SignedZoneFixture signed =
                new SignedZoneFixture(fixture, fixture.dns(), directory.resolve("keys"), scheduler)) {
            byte[] address = response(signed, Type.A);
            byte[] proof = response(signed, Type.MX);

            signed.advance(Duration.ofDays(3));
            assertThat(response(signed, Type.A)).isEqualTo(address);
            assertThat(response(signed, Type.MX)).isEqualTo(proof);

            signed.advance(Duration.ofDays(3));
            assertThat(response(signed, Type.A)).isNotEqualTo(address);
            assertThat(response(signed, Type.MX)).isNotEqualTo(proof);
        }
    }

    private static byte[] response(SignedZoneFixture fixture, int type) {
        OPTRecord dnssecOk = new OPTRecord(1232, 0, 0, ExtendedFlags.DO);
        byte[] query = Messages.query("www.example.com", type, dnssecOk).toWire();
        Arrays.fill(query, 0, 2, (byte) 7);
        return fixture.client().query(query, Transport.UDP);
    }

    @Test
    void namesUseLittleMemory() throws IOException, InterruptedException {
        StringBuilder records = new StringBuilder();
        for (int i = 0; i < MANY; i++) {
            records.append("n").append(i).append(" 60 A 192.0.2.1\n");
        }
        Path counted = directory.resolve("counted");
        Path java = Path.of(System.getProperty("java.home"), "bin", "java");
        Process process = new ProcessBuilder(
                        java.toString(),
                        "-Xmx48m",
                        "-XX:+UseSerialGC",
                        "-XX:+ExitOnOutOfMemoryError",
                        "-cp",
                        System.getProperty("java.class.path", ""),
                        ManyNames.class.getName(),
                        file(records.toString()).toString(),
                        counted.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor()).as(output).isZero();
        assertThat(counted).hasContent(Integer.toString(MANY + 2));
    }

    /** Compiles a zone file in its own process, and writes the number of names to another file. */
    static final class ManyNames {

        private ManyNames() {}

        public static void main(String[] args) throws IOException {
            ZoneFixture fixture = new ZoneFixture().zone("example.com", Path.of(args[0]));
            CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
            int count = zones.published().current().nameCount();
            Files.writeString(Path.of(args[1]), Integer.toString(count));
        }
    }
}
