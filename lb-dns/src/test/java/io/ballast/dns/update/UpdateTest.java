package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import io.ballast.dns.zone.contents.ZoneContents;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests the rules of RFC 2136, sections 3.2 and 3.4. */
class UpdateTest {

    private static final Name APEX = Messages.name("example.com");

    private final ZoneDraft zone = new ZoneDraft(ZoneContents.of(
            APEX,
            List.of(
                    record("example.com 300 SOA ns1.example.com. hostmaster.example.com. 7 3600 600 604800 60"),
                    record("example.com 300 NS ns1.example.com."),
                    record("ns1.example.com 300 A 192.0.2.1"),
                    record("two.example.com 300 A 192.0.2.2"),
                    record("two.example.com 300 A 192.0.2.3"),
                    record("alias.example.com 300 CNAME two.example.com."))));

    /**
     * Parses a record such as {@code www.example.com 300 A 192.0.2.1}; a class other than IN is given before the type.
     */
    private static Record record(String text) {
        String[] words = text.split(" ", 4);
        int at = 2;
        int dclass = DClass.IN;
        String rest = text.substring(words[0].length() + 1 + words[1].length() + 1);
        if (words[at].equals("ANY") || words[at].equals("NONE")) {
            dclass = DClass.value(words[at]);
            rest = rest.substring(words[at].length() + 1);
        }
        String type = rest.split(" ", 2)[0];
        String data = rest.length() > type.length() ? rest.substring(type.length() + 1) : "";
        try {
            Name name = Messages.name(words[0]);
            long ttl = Long.parseLong(words[1]);
            if (data.isEmpty()) {
                return Record.newRecord(name, Type.value(type), dclass, ttl);
            }
            Record read = Record.fromString(name, Type.value(type), DClass.IN, ttl, data, Name.root);
            return dclass == DClass.IN
                    ? read
                    : Record.newRecord(name, read.getType(), dclass, ttl, read.rdataToWireCanonical());
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private Update update(int section, String... records) {
        return update(message(section, records));
    }

    private Update update(Message message) {
        return Update.of(message, zone, Set.of(Messages.name("app.example.com"))::contains, /* isSigned= */ true);
    }

    /** Returns an update with these records in one section, parsed from its wire format like a received message. */
    private static Message message(int section, String... records) {
        Message message = new Message();
        message.getHeader().setOpcode(Opcode.UPDATE);
        message.addRecord(Record.newRecord(APEX, Type.SOA, DClass.IN), Section.ZONE);
        for (String each : records) {
            message.addRecord(record(each), section);
        }
        try {
            return new Message(message.toWire());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static List<String> records(ZoneDraft draft) {
        List<String> lines = new ArrayList<>();
        try {
            draft.forEach(each -> lines.add(each.getName() + " " + each.getTTL() + " " + Type.string(each.getType())
                    + " " + each.rdataToString()));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
        return lines;
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    two.example.com 0 ANY ANY             | NOERROR
                    two.example.com 0 ANY A               | NOERROR
                    two.example.com 0 ANY AAAA            | NXRRSET
                    none.example.com 0 ANY ANY            | NXDOMAIN
                    none.example.com 0 ANY A              | NXRRSET
                    none.example.com 0 NONE ANY           | NOERROR
                    two.example.com 0 NONE ANY            | YXDOMAIN
                    two.example.com 0 NONE AAAA           | NOERROR
                    two.example.com 0 NONE A              | YXRRSET
                    two.example.com 0 A 192.0.2.2         | NXRRSET
                    two.example.com 1 ANY A               | FORMERR
                    two.example.com 1 A 192.0.2.2         | FORMERR
                    two.example.net 0 ANY A               | NOTZONE
                    two.example.com 0 ANY A 192.0.2.2     | FORMERR
                    two.example.com 0 NONE A 192.0.2.2    | FORMERR
                    TWO.example.COM 0 ANY A               | NOERROR
                    """)
    void evaluatesPrerequisites(String prerequisite, String code) {
        Message message = message(Section.PREREQ, prerequisite);
        message.addRecord(record("new.example.com 60 A 192.0.2.9"), Section.UPDATE);

        Update update = update(message);

        assertThat(Rcode.string(update.rcode())).isEqualTo(code);
        assertThat(update.draft() != null).isEqualTo(code.equals("NOERROR"));
    }

    @Test
    void recordSetPrerequisiteIgnoresOrder() {
        assertThat(update(Section.PREREQ, "two.example.com 0 A 192.0.2.3", "two.example.com 0 A 192.0.2.2")
                        .rcode())
                .isEqualTo(Rcode.NOERROR);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    new.example.net 60 A 192.0.2.9                  | NOTZONE
                    new.example.com 60 ANY A                        | FORMERR
                    new.example.com 0 ANY A 192.0.2.9               | FORMERR
                    new.example.com 0 ANY AXFR                      | FORMERR
                    new.example.com 60 NONE A 192.0.2.9             | FORMERR
                    new.example.com 0 NONE ANY                      | FORMERR
                    app.example.com 60 TXT text                     | REFUSED
                    new.example.com 60 CAA 0 issue "ca.example"     | NOERROR
                    example.com 60 NSEC3PARAM 1 0 0 -               | REFUSED
                    example.com 0 ANY DNSKEY                        | REFUSED
                    """)
    void failedChangeStopsUpdate(String change, String code) {
        Update update = update(Section.UPDATE, "first.example.com 60 A 192.0.2.9", change);

        assertThat(Rcode.string(update.rcode())).isEqualTo(code);
        assertThat(update.draft() != null).isEqualTo(code.equals("NOERROR"));
    }

    @Test
    void addedRecordSetsTtlOfSet() {
        ZoneDraft next =
                update(Section.UPDATE, "two.example.com 60 A 192.0.2.4").draft();

        assertThat(records(next))
                .contains(
                        "two.example.com. 60 A 192.0.2.2",
                        "two.example.com. 60 A 192.0.2.3",
                        "two.example.com. 60 A 192.0.2.4")
                .hasSize(7)
                .first()
                .asString()
                .contains(" SOA ", " 8 3600 ");
    }

    @Test
    void duplicateRecordChangesNothing() {
        Update update = update(Section.UPDATE, "Two.example.com 300 A 192.0.2.2", "none.example.com 0 ANY ANY");

        assertThat(update.rcode()).isEqualTo(Rcode.NOERROR);
        assertThat(update.draft()).isNull();
    }

    @Test
    void recordSetIsLimited() {
        String[] records = IntStream.rangeClosed(1, UpdateChanges.MAX_SET_RECORDS + 1)
                .mapToObj(i -> "new.example.com 60 A 10.0." + (i >> 8) + "." + (i & 255))
                .toArray(String[]::new);

        assertThat(update(Section.UPDATE, records).rcode()).isEqualTo(Rcode.REFUSED);
        assertThat(update(Section.UPDATE, records).draft()).isNull();

        String[] fewer = Arrays.copyOf(records, UpdateChanges.MAX_SET_RECORDS);
        zone.merge(update(Section.UPDATE, fewer).draft());
        assertThat(update(Section.UPDATE, fewer).rcode()).isEqualTo(Rcode.NOERROR);
        assertThat(update(Section.UPDATE, records[UpdateChanges.MAX_SET_RECORDS])
                        .rcode())
                .isEqualTo(Rcode.REFUSED);
    }

    @Test
    void cnameStandsAlone() {
        assertThat(update(
                                Section.UPDATE,
                                "two.example.com 60 CNAME ns1.example.com.",
                                "alias.example.com 60 A 192.0.2.9")
                        .draft())
                .isNull();
        assertThat(records(update(Section.UPDATE, "alias.example.com 60 CNAME ns1.example.com.")
                        .draft()))
                .contains("alias.example.com. 60 CNAME ns1.example.com.")
                .doesNotContain("alias.example.com. 300 CNAME two.example.com.");
    }

    @Test
    void apexKeepsSoaAndLastNs() {
        assertThat(update(Section.UPDATE, "example.com 0 ANY ANY", "example.com 0 ANY NS", "example.com 0 ANY SOA")
                        .draft())
                .isNull();
        assertThat(update(Section.UPDATE, "example.com 0 NONE NS ns1.example.com.")
                        .draft())
                .isNull();
        assertThat(records(update(
                                Section.UPDATE,
                                "example.com 300 NS ns2.example.com.",
                                "example.com 0 NONE NS ns1.example.com.")
                        .draft()))
                .contains("example.com. 300 NS ns2.example.com.")
                .doesNotContain("example.com. 300 NS ns1.example.com.");
    }

    @Test
    void deletesRecordsSetsAndNames() {
        ZoneDraft next = update(
                        Section.UPDATE,
                        "two.example.com 0 NONE A 192.0.2.2",
                        "alias.example.com 0 ANY CNAME",
                        "ns1.example.com 0 ANY ANY")
                .draft();

        assertThat(records(next))
                .hasSize(3)
                .contains("two.example.com. 300 A 192.0.2.3", "example.com. 300 NS ns1.example.com.");
    }

    @ParameterizedTest
    @CsvSource({"9,9", "7,8", "6,8", "2147483655,8"})
    void acceptsLaterSerialOnly(long given, long becomes) {
        Update update = update(
                Section.UPDATE,
                "example.com 300 SOA ns1.example.com. hostmaster.example.com. " + given + " 3600 600 604800 60",
                "new.example.com 60 A 192.0.2.9");

        assertThat(update.draft().soa().getSerial()).isEqualTo(becomes);
    }

    @Test
    void serialWrapsWithoutZero() {
        assertThat(Update.nextSerial(4_294_967_295L)).isEqualTo(1);
        assertThat(Update.nextSerial(7)).isEqualTo(8);
    }

    @Test
    void updatesAccumulate() {
        ZoneDraft first =
                update(Section.UPDATE, "new.example.com 60 A 192.0.2.9").draft();
        zone.merge(first);
        ZoneDraft second =
                update(Section.UPDATE, "new.example.com 60 A 192.0.2.10").draft();

        assertThat(records(second)).contains("new.example.com. 60 A 192.0.2.9", "new.example.com. 60 A 192.0.2.10");
        assertThat(second.soa().getSerial()).isEqualTo(9);
    }
}
