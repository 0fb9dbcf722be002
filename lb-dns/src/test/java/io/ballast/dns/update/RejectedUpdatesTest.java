package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.net.Cidr;
import io.ballast.dns.config.zone.UpdateConfig;
import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TSIG;
import org.xbill.DNS.Type;
import org.xbill.DNS.Update;

/** Tests that an update message that is rejected or fails changes nothing. */
class RejectedUpdatesTest {

    @TempDir
    private Path directory;

    @BeforeEach
    void write() throws IOException {
        UpdateServer.writeZone(directory);
    }

    @Test
    void failedPrerequisiteOrForeignNameChangesNothing() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            Update unmet = UpdateServer.adding("new.example.com", "192.0.2.9");
            unmet.absent(Messages.name("old.example.com"));
            Update ofService = UpdateServer.adding("app.example.com", "192.0.2.9");
            Update outside = UpdateServer.adding("new.example.com", "192.0.2.9");
            outside.add(Messages.name("new.example.net"), Type.A, 60, "192.0.2.9");

            assertThat(server.send(unmet)).isEqualTo(Rcode.YXDOMAIN);
            assertThat(server.send(ofService)).isEqualTo(Rcode.REFUSED);
            assertThat(server.send(outside)).isEqualTo(Rcode.NOTZONE);
            assertThat(server.send(new Update(Messages.name("example.net")))).isEqualTo(Rcode.NOTAUTH);
            assertThat(server.serial()).isEqualTo(7);
            assertThat(server.query("new.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(directory.resolve("updates")).doesNotExist();
        }
    }

    @Test
    void countsResponseCodes() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            Update unmet = UpdateServer.adding("new.example.com", "192.0.2.9");
            unmet.absent(Messages.name("old.example.com"), Type.A);
            Update missing = UpdateServer.adding("new.example.com", "192.0.2.9");
            missing.present(Messages.name("old.example.com"), Type.AAAA);
            Update outside = UpdateServer.adding("new.example.net", "192.0.2.9");

            assertThat(server.send(unmet)).isEqualTo(Rcode.YXRRSET);
            assertThat(server.send(missing)).isEqualTo(Rcode.NXRRSET);
            assertThat(server.send(outside)).isEqualTo(Rcode.NOTZONE);
            server.query("example.com", Type.SOA); // after this query, earlier counts are visible
            DnsStats stats = server.frontend().stats();
            assertThat(stats.sum(DnsCounter.SERVFAIL)).isZero();
        }
    }

    @Test
    void unknownEdnsVersionChangesNothing() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            Update later = UpdateServer.adding("new.example.com", "192.0.2.9");
            later.addRecord(new OPTRecord(1232, /* xrcode= */ 0, /* version= */ 1), Section.ADDITIONAL);
            later.setTSIG(TransferFixture.tsig());

            assertThat(Reload.query(server.address(), later).getRcode()).isEqualTo(Rcode.BADVERS);
            assertThat(server.serial()).isEqualTo(7);
        }
    }

    @Test
    void requiresKeyAndNetwork() throws IOException {
        UpdateConfig nonLocal = new UpdateConfig(List.of(TransferFixture.KEY), List.of(Cidr.parse("192.0.2.0/24")));
        try (UpdateServer server = UpdateServer.start(directory)) {
            SimpleResolver unsigned = new SimpleResolver(server.address());
            assertThat(unsigned.send(UpdateServer.adding("new.example.com", "192.0.2.9"))
                            .getRcode())
                    .isEqualTo(Rcode.REFUSED);
            SimpleResolver wrong = new SimpleResolver(server.address());
            wrong.setTSIGKey(new TSIG(
                    TSIG.HMAC_SHA256, TransferFixture.KEY + ".", "YW5vdGhlciBzZWNyZXQgdGhhdCBpcyBub3Qga25vd24="));
            assertThatThrownBy(() -> {
                        Message answer = wrong.send(UpdateServer.adding("new.example.com", "192.0.2.9"));
                        throw new IOException(Rcode.string(answer.getRcode()));
                    })
                    .isInstanceOf(IOException.class);
            assertThat(server.serial()).isEqualTo(7);
        }
        try (UpdateServer server = new UpdateServer(directory, nonLocal, Optional.empty(), TransferFixture.byKey())) {
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.REFUSED);
            assertThat(server.frontend().stats().sum(DnsCounter.UPDATES_PROHIBITED))
                    .isOne();
        }
    }

    @Test
    void failedWriteChangesNothing() throws IOException {
        Files.writeString(directory.resolve("updates"), "a file where the directory should be");
        try (UpdateServer server = UpdateServer.start(directory)) {
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.SERVFAIL);
            assertThat(server.serial()).isEqualTo(7);
            assertThat(server.frontend().stats().sum(DnsCounter.UPDATES_FAILED)).isOne();

            Files.delete(directory.resolve("updates"));
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);
            assertThat(server.addresses("new.example.com")).containsExactly("192.0.2.9");
        }
    }

    @Test
    void unservableUpdateChangesNothing() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            Update broken = new Update(UpdateServer.ZONE);
            broken.add(Messages.name("sub.example.com"), Type.DNAME, 60, "elsewhere.example.");
            broken.add(Messages.name("sub.example.com"), Type.NS, 60, "ns1.example.com.");

            assertThat(server.send(broken)).isEqualTo(Rcode.SERVFAIL);
            assertThat(server.serial()).isEqualTo(7);
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);
            assertThat(server.serial()).isEqualTo(8);
        }
    }

    @Test
    void unservableUpdateDoesNotFailOthers() throws Exception {
        Update broken = new Update(UpdateServer.ZONE);
        broken.add(Messages.name("sub.example.com"), Type.DNAME, 60, "elsewhere.example.");
        broken.add(Messages.name("sub.example.com"), Type.NS, 60, "ns1.example.com.");
        List<Update> updates = List.of(
                UpdateServer.adding("a.example.com", "192.0.2.11"),
                broken,
                UpdateServer.adding("b.example.com", "192.0.2.12"));
        try (UpdateServer server = UpdateServer.start(directory);
                StreamClient client = new StreamClient(server.address())) {
            Runnable release = server.hold();
            for (Update each : updates) {
                UpdateServer.sendSigned(each, client);
            }
            UpdateServer.sendSigned(Messages.query("example.com", Type.SOA), client);
            assertThat(client.receive().getQuestion().getType()).isEqualTo(Type.SOA); // all updates are queued now
            release.run();
            Map<Integer, Integer> codes = new HashMap<>();
            for (int i = 0; i < updates.size(); i++) {
                Message answer = client.receive();
                codes.put(answer.getHeader().getID(), answer.getRcode());
            }

            assertThat(updates.stream().map(each -> codes.get(each.getHeader().getID())))
                    .containsExactly(Rcode.NOERROR, Rcode.SERVFAIL, Rcode.NOERROR);
            assertThat(server.addresses("a.example.com")).containsExactly("192.0.2.11");
            assertThat(server.addresses("b.example.com")).containsExactly("192.0.2.12");
            assertThat(server.serial()).isEqualTo(9);
        }
    }
}
