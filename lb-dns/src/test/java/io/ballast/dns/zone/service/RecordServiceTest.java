package io.ballast.dns.zone.service;

import static io.ballast.dns.testing.Routes.always;
import static io.ballast.dns.testing.Routes.among;
import static io.ballast.dns.testing.Routes.onBackend;
import static io.ballast.dns.testing.Routes.onPool;
import static io.ballast.dns.testing.Routes.records;
import static io.ballast.dns.testing.Routes.service;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.BackendState;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceConfig.Routing;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.config.zone.TargetConfig;
import io.ballast.dns.config.zone.TargetConfig.OfRecords;
import io.ballast.dns.config.zone.TargetConfig.Thresholds;
import io.ballast.dns.config.zone.WhenAllDown;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Routes;
import io.ballast.dns.testing.TestRegions;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.dns.zone.CompiledZones;
import io.ballast.dns.zone.ZoneInputs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests services with configured records that follow health: MX, SRV, TXT, CNAME and others. */
class RecordServiceTest {

    private static final String MAIL1 = "10 mail1.example.com.";
    private static final String MAIL2 = "20 mail2.example.com.";

    private final ZoneFixture fixture = new ZoneFixture()
            .pool("web", ZoneFixture.backend("192.0.2.1"))
            .pool("one", ZoneFixture.backend("192.0.2.11"))
            .pool("two", ZoneFixture.backend("192.0.2.21"), ZoneFixture.backend("192.0.2.22"));

    private static ServiceConfig mail(WhenAllDown whenAllDown) {
        return service("@", ServiceType.MX, records(onPool("10 mail1", "one"), onPool("20 mail2", "two")), whenAllDown);
    }

    @Test
    void recordsOfDownPoolsAreOmitted() {
        AnswererClient client = client(mail(WhenAllDown.ALL));

        assertThat(query(client, "example.com", Type.MX)).containsExactly(MAIL1, MAIL2);
        fixture.set("one", "192.0.2.11", BackendState.DOWN);
        assertThat(query(client, "example.com", Type.MX)).containsExactly(MAIL2);
        fixture.set("two", "192.0.2.21", BackendState.DOWN);
        assertThat(query(client, "example.com", Type.MX)).containsExactly(MAIL2);
        fixture.set("one", "192.0.2.11", BackendState.UP);
        assertThat(query(client, "example.com", Type.MX)).containsExactly(MAIL1, MAIL2);
    }

    @Test
    void recordFollowsBackend() {
        AnswererClient client = client(service(
                "_sip._udp",
                ServiceType.SRV,
                records(
                        onBackend("0 5 5060 sip1.example.com.", "two", "192.0.2.21"),
                        onBackend("0 5 5060 sip2.example.com.", "two", "192.0.2.22"))));

        fixture.set("two", "192.0.2.21", BackendState.DOWN);

        assertThat(query(client, "_sip._udp.example.com", Type.SRV)).containsExactly("0 5 5060 sip2.example.com.");
    }

    @Test
    void recordWithoutPoolIsAlwaysServed() {
        AnswererClient client = client(
                service("@", ServiceType.MX, records(onPool("10 mail1", "one"), always("90 backup.example.net."))));

        fixture.set("one", "192.0.2.11", BackendState.DOWN);

        assertThat(query(client, "example.com", Type.MX)).containsExactly("90 backup.example.net.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "TXT | \"v=spf1 -all\" | \"v=spf1 -all\"",
                "CAA | 0 issue \"ca.example.net\" | 0 issue \"ca.example.net\"",
                "HTTPS | 1 . alpn=h2,h3 port=8443 | 1 . alpn=h2,h3 port=8443",
                "SVCB | 1 svc.example.net. port=53 | 1 svc.example.net. port=53",
                "PTR | www | www.example.com.",
                "NAPTR | 100 10 \"u\" \"E2U+sip\" \"!^.*$!sip:a@b!\" . | 100 10 \"u\" \"E2U+sip\" \"!^.*$!sip:a@b!\" .",
                "TLSA | 3 1 1 AB | 3 1 1 AB"
            })
    void answersAllTypes(ServiceType type, String data, String answer) {
        AnswererClient client = client(service("x", type, records(onPool(data, "one"))));

        assertThat(query(client, "x.example.com", Type.value(type.name()))).containsExactly(answer);
    }

    @Test
    void aliasUsesFirstHealthyTarget() {
        AnswererClient client = client(
                ZoneFixture.service("www", "web"),
                service(
                        "cdn",
                        ServiceType.CNAME,
                        among(Routing.FAILOVER, records(onPool("www", "one")), records(always("cdn.example.net.")))));

        assertThat(query(client, "cdn.example.com", Type.A)).containsExactly("www.example.com.", "192.0.2.1");
        assertThat(query(client, "cdn.example.com", Type.CNAME)).containsExactly("www.example.com.");
        assertThat(query(client, "cdn.example.com", Type.MX)).containsExactly("www.example.com.");
        fixture.set("one", "192.0.2.11", BackendState.DOWN);
        assertThat(query(client, "cdn.example.com", Type.A)).containsExactly("cdn.example.net.");
        assertThat(query(client, "cdn.example.com", Type.CNAME)).containsExactly("cdn.example.net.");
    }

    @Test
    void aliasesAreSelectedByWeight() {
        AnswererClient client = client(service(
                "cdn",
                ServiceType.CNAME,
                among(Routing.WEIGHTED, weighted("a.example.net.", 3), weighted("b.example.net.", 1))));
        Map<String, Integer> counts = new HashMap<>();

        for (int i = 0; i < 4000; i++) {
            counts.merge(query(client, "cdn.example.com", Type.A).get(0), 1, Integer::sum);
        }

        // Four standard deviations for 4,000 draws with probability one quarter are 110.
        assertThat(counts.get("b.example.net.")).isBetween(890, 1110);
        assertThat(counts).containsOnlyKeys("a.example.net.", "b.example.net.");
    }

    private static TargetConfig weighted(String data, int weight) {
        return new OfRecords(List.of(always(data)), new Thresholds(weight, 0));
    }

    @Test
    void aliasLoopEnds() {
        AnswererClient client = client(
                service("a", ServiceType.CNAME, records(always("b"))),
                service("b", ServiceType.CNAME, records(always("a"))));

        assertThat(query(client, "a.example.com", Type.A)).containsExactly("b.example.com.", "a.example.com.");
    }

    @Test
    void wildcardMayBeAlias() {
        AnswererClient client = client(
                ZoneFixture.service("www", "web"), service("*.shop", ServiceType.CNAME, records(onPool("www", "one"))));

        assertThat(query(client, "x.shop.example.com", Type.A)).containsExactly("www.example.com.", "192.0.2.1");
    }

    @Test
    void clientRegionSelectsRecords() {
        ManualScheduler scheduler = new ManualScheduler();
        TargetConfig byRegion = Routes.regions(
                Map.of("eu", records(onPool("10 eu", "one")), "us", records(onPool("10 us", "two"))), Optional.empty());
        fixture.zone("example.com", service("@", ServiceType.MX, byRegion));
        ZoneInputs inputs = ZoneInputs.of(
                fixture.topology(),
                Optional.of(new TestRegions()
                        .region("eu", "10.1.0.0/16")
                        .region("us", "10.2.0.0/16")
                        .open("eu", scheduler.controlPlane())));
        AnswererClient client = new AnswererClient(CompiledZones.start(fixture.dns(), inputs));

        assertThat(query(client.from("10.1.0.1"), "example.com", Type.MX)).containsExactly("10 eu.example.com.");
        assertThat(query(client.from("10.2.0.1"), "example.com", Type.MX)).containsExactly("10 us.example.com.");
        fixture.set("one", "192.0.2.11", BackendState.DOWN);
        assertThat(query(client.from("10.1.0.1"), "example.com", Type.MX)).containsExactly("10 us.example.com.");
    }

    @Test
    void servicesMayShareName() {
        fixture.zone(
                "example.com",
                ZoneFixture.service("@", "web"),
                mail(WhenAllDown.ALL),
                service("@", ServiceType.TXT, records(always("hello"))));
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        AnswererClient client = new AnswererClient(zones);

        assertThat(query(client, "example.com", Type.A)).containsExactly("192.0.2.1");
        assertThat(query(client, "example.com", Type.MX)).containsExactly(MAIL1, MAIL2);
        assertThat(query(client, "example.com", Type.TXT)).containsExactly("hello");
        fixture.set("one", "192.0.2.11", BackendState.DOWN);
        assertThat(query(client, "example.com", Type.A)).containsExactly("192.0.2.1");
        assertThat(query(client, "example.com", Type.MX)).containsExactly(MAIL2);
        assertThat(query(client, "example.com", Type.NS)).hasSize(2);
        assertThat(zones.stats().queriesByService()).isEqualTo(Map.of("example.com", 6L));
    }

    @Test
    void allDownReturnsAllRecordsWithShortTtl() {
        Message answer = downWith(WhenAllDown.ALL);

        assertThat(data(answer)).containsExactly(MAIL1, MAIL2);
        assertThat(answer.getSection(Section.ANSWER))
                .allMatch(record -> record.getTTL() == AllDownAnswer.TTL.toSeconds());
    }

    @Test
    void allDownReturnsLastHealthyRecords() {
        assertThat(data(downWith(WhenAllDown.Simple.LAST_HEALTHY))).containsExactly(MAIL2);
    }

    @Test
    void allDownMayBeServfail() {
        assertThat(downWith(WhenAllDown.Simple.SERVFAIL).getRcode()).isEqualTo(Rcode.SERVFAIL);
    }

    @Test
    void allDownMayBeNodata() {
        Message nodata = downWith(WhenAllDown.Simple.NODATA);
        assertThat(nodata.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(nodata.getSection(Section.ANSWER)).isEmpty();
    }

    private Message downWith(WhenAllDown policy) {
        AnswererClient client = client(mail(policy));
        fixture.set("one", "192.0.2.11", BackendState.DOWN);
        fixture.set("two", "192.0.2.21", BackendState.DOWN);
        fixture.set("two", "192.0.2.22", BackendState.DOWN);
        return client.query("example.com", Type.MX);
    }

    @Test
    void allDownAliasUsesFirstTarget() {
        TargetConfig some = among(
                Routing.FAILOVER, records(onPool("a.example.net.", "one")), records(onPool("b.example.net.", "one")));
        AnswererClient client = client(
                service("all", ServiceType.CNAME, some),
                service("fails", ServiceType.CNAME, some, WhenAllDown.Simple.SERVFAIL),
                service("empty", ServiceType.CNAME, some, WhenAllDown.Simple.NODATA));

        fixture.set("one", "192.0.2.11", BackendState.DOWN);

        assertThat(query(client, "all.example.com", Type.A)).containsExactly("a.example.net.");
        assertThat(client.query("fails.example.com", Type.A).getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(client.query("fails.example.com", Type.CNAME).getRcode()).isEqualTo(Rcode.SERVFAIL);
        assertThat(query(client, "empty.example.com", Type.A)).isEmpty();
    }

    @Test
    void minHealthyCountsConditionBackends() {
        TargetConfig half = new OfRecords(List.of(onPool("a.example.net.", "two")), new Thresholds(1, 60));
        AnswererClient client = client(
                service("cdn", ServiceType.CNAME, among(Routing.FAILOVER, half, records(always("b.example.net.")))));

        assertThat(query(client, "cdn.example.com", Type.A)).containsExactly("a.example.net.");
        fixture.set("two", "192.0.2.21", BackendState.DOWN);
        assertThat(query(client, "cdn.example.com", Type.A)).containsExactly("b.example.net.");
    }

    @Test
    void isExplained() throws IOException {
        fixture.zone("example.com", ZoneFixture.service("@", "web"), mail(WhenAllDown.ALL));
        CompiledZones zones = CompiledZones.start(fixture.dns(), fixture.topology());
        fixture.set("one", "192.0.2.11", BackendState.DOWN);

        Map<String, Object> explained =
                zones.explain("example.com", Type.MX, Optional.empty()).toMap();

        assertThat(explained)
                .containsEntry("type", "MX")
                .containsEntry("answer", List.of(MAIL2))
                .containsEntry("decision", "the records whose backends are healthy");
        assertThat(explained.get("target").toString())
                .contains("data=" + MAIL1)
                .contains("condition=pool one")
                .contains("state=up: 2 of 3 healthy");
        assertThatThrownBy(() -> zones.explain("example.com", Type.SRV, Optional.empty()))
                .hasMessage("type: SRV (expected: A, AAAA, MX for example.com)");
        fixture.set("two", "192.0.2.21", BackendState.DOWN);
        fixture.set("two", "192.0.2.22", BackendState.DOWN);
        assertThat(zones.explain("example.com", Type.MX, Optional.empty()).toMap())
                .containsEntry("answer", List.of(MAIL1, MAIL2))
                .containsEntry("decision", "no backend is healthy; when_all_down: all");
    }

    @Test
    void reloadKeepsLastHealthyRecords() throws IOException {
        fixture.zone("example.com", mail(WhenAllDown.Simple.LAST_HEALTHY));
        ZoneInputs inputs = ZoneInputs.of(fixture.topology());
        CompiledZones before = CompiledZones.start(fixture.dns(), inputs);
        fixture.set("one", "192.0.2.11", BackendState.DOWN);
        fixture.set("two", "192.0.2.21", BackendState.DOWN);
        fixture.set("two", "192.0.2.22", BackendState.DOWN);

        fixture.zone("example.net");
        CompiledZones after = before.next(fixture.dns(), inputs);
        after.begin();

        assertThat(query(new AnswererClient(after), "example.com", Type.MX)).containsExactly(MAIL2);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "MX | mail1 | records: 'mail1' (expected: data of MX records as in a zone file; expected an integer)",
                "CNAME | a b | records: 'a b' (expected: data of CNAME records as in a zone file;",
                "CAA | '' | records: '' (expected: data of CAA records as in a zone file;"
            })
    void rejectsInvalidData(ServiceType type, String data, String message) {
        ServiceConfig service = service("x", type, records(always(data)));

        assertThatThrownBy(() -> Service.check(service))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void cnameStandsAlone() {
        ServiceConfig alias = service("x", ServiceType.CNAME, records(always("www")));
        Set<String> messages = new HashSet<>();
        for (List<ServiceConfig> services : List.of(
                List.of(ZoneFixture.service("x", "web"), alias),
                List.of(alias, service("x", ServiceType.TXT, records(always("hello")))),
                List.of(service("@", ServiceType.CNAME, records(always("www")))))) {
            fixture.withoutZones();
            fixture.zone("example.com", services.toArray(ServiceConfig[]::new));
            assertThatThrownBy(() -> new AnswererClient(fixture))
                    .isInstanceOf(IllegalArgumentException.class)
                    .satisfies(e -> messages.add(e.getMessage()));
        }

        assertThat(messages)
                .containsExactlyInAnyOrder(
                        "service: x.example.com. (expected: no other service at the name of a service with type: CNAME)",
                        "service: example.com. (expected: an alias instead of type: CNAME, which is not allowed at the"
                                + " name of a zone)");
    }

    private AnswererClient client(ServiceConfig... services) {
        fixture.zone("example.com", services);
        return new AnswererClient(fixture);
    }

    private static List<String> query(AnswererClient client, String name, int type) {
        return data(client.query(name, type));
    }

    private static List<String> data(Message answer) {
        List<String> data = new ArrayList<>();
        for (Record record : answer.getSection(Section.ANSWER)) {
            data.add(record.rdataToString());
        }
        return data;
    }
}
