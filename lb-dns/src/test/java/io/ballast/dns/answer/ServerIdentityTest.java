package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.CookieConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.protect.Protection;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class ServerIdentityTest {

    private final ZoneFixture fixture = new ZoneFixture().zone("example.com");

    @ParameterizedTest
    @CsvSource({
        "hostname.bind, lb-1",
        "id.server, lb-1",
        "ID.Server, lb-1",
        "version.bind, Ballast",
        "version.server, Ballast"
    })
    void sendsConfiguredIdentity(String name, String text) {
        Message response = query(new ServerIdentity("lb-1", "Ballast"), name, Type.TXT);

        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getSection(Section.ANSWER)).singleElement().satisfies(record -> {
            assertThat(record.getDClass()).isEqualTo(DClass.CH);
            assertThat(record.getTTL()).isZero();
            assertThat(record.getName()).isEqualTo(Messages.name(name));
            assertThat(record.rdataToString()).isEqualTo(text);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"hostname.bind", "id.server", "version.bind", "version.server", "authors.bind", "example.com"})
    void identityIsHiddenByDefault(String name) {
        Message response = query(ServerIdentity.NONE, name, Type.TXT);

        assertThat(response.getRcode()).isEqualTo(Rcode.REFUSED);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
    }

    @Test
    void nameAndVersionAreIndependent() {
        ServerIdentity identity = new ServerIdentity("lb-1", "");

        assertThat(query(identity, "id.server", Type.TXT).getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(query(identity, "version.bind", Type.TXT).getRcode()).isEqualTo(Rcode.REFUSED);
    }

    @Test
    void otherTypesHaveNoRecord() {
        Message response = query(new ServerIdentity("lb-1", ""), "id.server", Type.A);

        assertThat(response.getRcode()).isEqualTo(Rcode.NOERROR);
        assertThat(response.getSection(Section.ANSWER)).isEmpty();
    }

    @Test
    void textMustFitIntoOneString() {
        assertThatThrownBy(() -> new ServerIdentity("x".repeat(256), "")).isInstanceOf(IllegalArgumentException.class);
    }

    private Message query(ServerIdentity identity, String name, int type) {
        Protection open = Protection.of(
                new CookieConfig(/* enabled= */ false, List.of()),
                Optional.empty(),
                InstantSource.system(),
                System::nanoTime);
        AnswererClient client = new AnswererClient(
                fixture, new AnswerSettings(open, "", Duration.ZERO, DnsConfig.ALL_CLIENTS, identity));
        Record question = Record.newRecord(Messages.name(name), type, DClass.CH);
        return client.query(Message.newQuery(question), Transport.UDP);
    }
}
