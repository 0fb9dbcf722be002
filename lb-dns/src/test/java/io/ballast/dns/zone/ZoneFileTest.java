package io.ballast.dns.zone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.source.ZoneProblem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class ZoneFileTest {

    private static final String HEAD =
            "@ 300 SOA ns1 host 1 7200 3600 1209600 60\n@ 300 NS ns1\nns1 300 A 192.0.2.53\n";

    @TempDir
    private Path directory;

    private final ZoneFixture fixture = new ZoneFixture().pool("web", ZoneFixture.backend("192.0.2.1"));

    @Test
    void servesAllTypes() throws IOException {
        AnswererClient client = serve("""
            @     MX    10 mail
            @     TXT   "one" "two words"
            @     CAA   0 issue "ca.example.net"
            _s    SRV   1 2 443 mail
            mail  A     192.0.2.25
            ptr   PTR   mail
            n     NAPTR 1 2 "u" "sip" "!^.*$!sip:a@b!" .
            _443  TLSA  3 1 1 00112233
            svc   HTTPS 1 . alpn="h2,h3" ipv4hint=192.0.2.7
            any   TYPE65400 \\# 3 010203
            """);

        assertThat(answer(client, "example.com", Type.MX))
                .containsExactly("example.com. 300 IN MX 10 mail.example.com.");
        assertThat(answer(client, "example.com", Type.TXT))
                .containsExactly("example.com. 300 IN TXT one \"two words\"");
        assertThat(answer(client, "example.com", Type.CAA))
                .containsExactly("example.com. 300 IN CAA 0 issue \"ca.example.net\"");
        assertThat(answer(client, "_s.example.com", Type.SRV))
                .containsExactly("_s.example.com. 300 IN SRV 1 2 443 mail.example.com.");
        assertThat(answer(client, "ptr.example.com", Type.PTR))
                .containsExactly("ptr.example.com. 300 IN PTR mail.example.com.");
        assertThat(answer(client, "n.example.com", Type.NAPTR))
                .containsExactly("n.example.com. 300 IN NAPTR 1 2 \"u\" \"sip\" \"!^.*$!sip:a@b!\" .");
        assertThat(answer(client, "_443.example.com", Type.TLSA))
                .containsExactly("_443.example.com. 300 IN TLSA 3 1 1 00112233");
        assertThat(answer(client, "svc.example.com", Type.HTTPS))
                .containsExactly("svc.example.com. 300 IN HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.7");
        assertThat(answer(client, "any.example.com", 65400))
                .containsExactly("any.example.com. 300 IN TYPE65400 \\# 3 010203");
    }

    @Test
    void continuesAfterUnknownFormat() throws IOException {
        AnswererClient client = serve("""
            any   TYPE65400 \\# 3 010203
            @     CAA       \\# 8 0005697373756561
            other TYPE65401 \\# 0
            www   A         192.0.2.80
            """);

        assertThat(answer(client, "example.com", Type.CAA)).containsExactly("example.com. 300 IN CAA 0 issue \"a\"");
        assertThat(answer(client, "www.example.com", Type.A)).containsExactly("www.example.com. 300 IN A 192.0.2.80");
    }

    @Test
    void supportsIncludeAndGenerate() throws IOException {
        Files.writeString(directory.resolve("more.zone"), "inc A 192.0.2.80\n");
        AnswererClient client =
                serve("$INCLUDE " + directory.resolve("more.zone") + "\n$GENERATE 1-3 host$ A 192.0.2.$\n");

        assertThat(answer(client, "inc.example.com", Type.A)).containsExactly("inc.example.com. 300 IN A 192.0.2.80");
        assertThat(answer(client, "host3.example.com", Type.A))
                .containsExactly("host3.example.com. 300 IN A 192.0.2.3");
    }

    @Test
    void servicesOverlayFile() throws IOException {
        Path file = write("www A 192.0.2.80\n");
        fixture.zone("example.com", file, ZoneFixture.service("app", "web"));
        AnswererClient client = new AnswererClient(fixture);

        assertThat(answer(client, "app.example.com", Type.A)).containsExactly("app.example.com. 30 IN A 192.0.2.1");
        assertThat(answer(client, "www.example.com", Type.A)).containsExactly("www.example.com. 300 IN A 192.0.2.80");
    }

    @Test
    void serviceKeepsOtherRecords() throws IOException {
        Path file = write("app TXT \"hello\"\n");
        fixture.zone("example.com", file, ZoneFixture.service("app", "web"));
        AnswererClient client = new AnswererClient(fixture);

        assertThat(answer(client, "app.example.com", Type.TXT)).containsExactly("app.example.com. 300 IN TXT hello");
        assertThat(answer(client, "app.example.com", Type.A)).hasSize(1);
    }

    @Test
    void recordSetHasOneTtlWithoutDuplicates() throws IOException {
        AnswererClient client = serve("www 60 A 192.0.2.1\nwww 30 A 192.0.2.2\nWWW 60 A 192.0.2.1\n");

        assertThat(answer(client, "www.example.com", Type.A))
                .containsExactly("www.example.com. 30 IN A 192.0.2.1", "www.example.com. 30 IN A 192.0.2.2");
    }

    @Test
    void negativeTtlComesFromSoa() throws IOException {
        AnswererClient client = serve("www A 192.0.2.1\n");

        Message response = client.query("nope.example.com", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.NXDOMAIN);
        assertThat(response.getSection(Section.AUTHORITY).get(0).getTTL()).isEqualTo(60);
        assertThat(client.query("example.com", Type.SOA)
                        .getSection(Section.ANSWER)
                        .get(0)
                        .getTTL())
                .isEqualTo(300);
    }

    @Test
    void zoneWithErrorsPreventsStart() throws IOException {
        fixture.zone("example.com", write("www A 192.0.2.300\n"));

        assertThatThrownBy(() -> new AnswererClient(fixture))
                .isInstanceOf(InvalidZoneException.class)
                .hasMessageContaining("example.zone:5:7: A record: invalid address: 192.0.2.300");
    }

    @Test
    void errorNamesUnreadableFile() {
        Path file = directory.resolve("none.zone");
        fixture.zone("example.com", file);

        assertThat(errors()).containsExactly(file + ":1:1: cannot be read (expected: a zone file)");
    }

    @Test
    void nonAsciiTextIsServedUnchanged() throws IOException {
        AnswererClient client = serve("t TXT \"gr\u00fc\u00df\" \\\u00fc\n");

        assertThat(answer(client, "t.example.com", Type.TXT))
                .containsExactly("t.example.com. 300 IN TXT gr\\195\\188\\195\\159 \\195\\188");
    }

    @Test
    void originIsRelativeToPreviousOrigin() throws IOException {
        AnswererClient client = serve("$ORIGIN sub\nwww A 192.0.2.1\n");

        assertThat(answer(client, "www.sub.example.com", Type.A)).hasSize(1);
    }

    @Test
    void generateSupportsOffsetsWidthsAndBases() throws IOException {
        AnswererClient client = serve("""
            $GENERATE 1-3/2 h${10,4,d} 60 IN A 192.0.2.${0}
            $GENERATE 0-0 n${16,3,n} TXT "\\$ is $$ $"
            """);

        assertThat(answer(client, "h0013.example.com", Type.A)).containsExactly("h0013.example.com. 60 IN A 192.0.2.3");
        assertThat(answer(client, "h0012.example.com", Type.A)).isEmpty();
        assertThat(answer(client, "n0.1.example.com", Type.TXT))
                .containsExactly("n0.1.example.com. 300 IN TXT \"$ is $ 0\"");
    }

    @Test
    void servesClasslessReverseZones() throws IOException {
        fixture.zone("0/25.2.0.192.in-addr.arpa", write("1 PTR www.example.com.\n"));
        AnswererClient client = new AnswererClient(fixture);

        assertThat(answer(client, "1.0/25.2.0.192.in-addr.arpa", Type.PTR))
                .containsExactly("1.0/25.2.0.192.in-addr.arpa. 300 IN PTR www.example.com.");
    }

    @Test
    void wildcardZoneNameAnswersForItselfOnly() throws IOException {
        fixture.zone("example.com", write("www A 192.0.2.80\n"));
        fixture.zone("*.example.com", write("sub A 192.0.2.81\n"));
        AnswererClient client = new AnswererClient(fixture);

        assertThat(answer(client, "sub.*.example.com", Type.A)).hasSize(1);
        assertThat(client.query("other.example.com", Type.SOA).getRcode()).isEqualTo(Rcode.NXDOMAIN);
    }

    @Test
    void rejectsServiceWithFileAddresses() throws IOException {
        fixture.zone("example.com", write("app A 192.0.2.9\n"), ZoneFixture.service("app", "web"));

        assertThat(errors())
                .containsExactly("service: app.example.com. (expected: a name without A records in the zone)");
    }

    @Test
    void rejectsServiceBelowDelegation() throws IOException {
        fixture.zone("example.com", write("sub NS ns1\n"), ZoneFixture.service("app.sub", "web"));

        assertThat(errors())
                .containsExactly(
                        "service: app.sub.example.com. (expected: a name that is not delegated and not below a DNAME record)");
    }

    private List<String> errors() {
        return CompiledZones.check(fixture.dns()).errors().stream()
                .map(ZoneProblem::toString)
                .toList();
    }

    private AnswererClient serve(String records) throws IOException {
        fixture.zone("example.com", write(records));
        return new AnswererClient(fixture);
    }

    private Path write(String records) throws IOException {
        return Files.writeString(directory.resolve("example.zone"), HEAD + "$TTL 300\n" + records);
    }

    private static List<String> answer(AnswererClient client, String name, int type) {
        return client.query(name, type).getSection(Section.ANSWER).stream()
                .map(found -> found.toString().replaceAll("\\s+", " "))
                .toList();
    }
}
