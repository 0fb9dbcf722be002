package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.DnsChange;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

/** Tests updates of a zone whose file is edited and reloaded, or that another process takes over. */
class UpdateReloadTest {

    @TempDir
    private Path directory;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = UpdateServer.writeZone(directory);
    }

    @Test
    void otherEditedZoneWaitsForReload() throws Exception {
        Path other = Files.writeString(
                directory.resolve("second"),
                TransferFixture.head(1).replace("example.com", "example.net") + "www A 192.0.2.1\n");
        try (UpdateServer server = UpdateServer.start(directory)) {
            Files.writeString(
                    other,
                    TransferFixture.head(2).replace("example.com", "example.net") + "www A 192.0.2.2\nmore A 192.0");
            assertThat(server.send(UpdateServer.adding("a.example.com", "192.0.2.11")))
                    .isEqualTo(Rcode.NOERROR);
            Files.writeString(
                    other, TransferFixture.head(2).replace("example.com", "example.net") + "www A 192.0.2.2\n");
            assertThat(server.send(UpdateServer.adding("b.example.com", "192.0.2.12")))
                    .isEqualTo(Rcode.NOERROR);

            assertThat(server.addresses("www.example.net")).containsExactly("192.0.2.1");
            server.reload(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()));
            assertThat(server.addresses("www.example.net")).containsExactly("192.0.2.2");
        }
    }

    @Test
    void fileChangesAreMerged() throws Exception {
        try (UpdateServer server = UpdateServer.start(directory)) {
            server.send(UpdateServer.adding("new.example.com", "192.0.2.9"));
            Files.writeString(file, TransferFixture.head(8) + "edited A 192.0.2.5\n");
            server.reload(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()));

            assertThat(server.addresses("edited.example.com")).containsExactly("192.0.2.5");
            assertThat(server.addresses("new.example.com")).containsExactly("192.0.2.9");
            assertThat(server.query("old.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            assertThat(server.serial()).isEqualTo(9);
            assertThat(server.send(UpdateServer.adding("more.example.com", "192.0.2.10")))
                    .isEqualTo(Rcode.NOERROR);
        }
        try (UpdateServer server = UpdateServer.start(directory)) {
            assertThat(server.addresses("edited.example.com")).containsExactly("192.0.2.5");
            assertThat(server.addresses("more.example.com")).containsExactly("192.0.2.10");
            assertThat(server.serial()).isEqualTo(10);
        }
    }

    @Test
    void commitWritesNoFile() throws Exception {
        Path prepared = directory.resolve("updates/example.com.prepared");
        try (UpdateServer server = UpdateServer.start(directory)) {
            server.send(UpdateServer.adding("new.example.com", "192.0.2.9"));
            Files.writeString(file, TransferFixture.head(8) + "edited A 192.0.2.5\n");
            Runnable release = server.hold();
            try (DnsChange change =
                    server.prepare(server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey()))) {
                change.commit();
                change.releasePrevious();
            }

            assertThat(prepared).exists();
            assertThat(server.addresses("edited.example.com")).containsExactly("192.0.2.5");
            release.run();
            server.settled();
            assertThat(prepared).doesNotExist();
        }
    }

    @Test
    void directoryIsReleasedAfterUpdates() throws Exception {
        try (UpdateServer server = UpdateServer.start(directory);
                StreamClient client = new StreamClient(server.address())) {
            Runnable release = server.hold();
            UpdateServer.sendSigned(UpdateServer.adding("new.example.com", "192.0.2.9"), client);
            UpdateServer.sendSigned(Messages.query("example.com", Type.SOA), client);
            client.receive(); // the update is queued now
            CompletableFuture<Void> left = server.frontend().pauseManagedZones();

            assertThat(left).isNotDone();
            release.run();
            left.get(10, TimeUnit.SECONDS);
            assertThat(client.receive().getRcode()).isEqualTo(Rcode.SERVFAIL);
            assertThat(directory.resolve("updates")).doesNotExist();
        }
    }

    @Test
    void updateDuringHandoverIsRetryable() throws IOException {
        try (UpdateServer server = UpdateServer.start(directory)) {
            CompletableFuture<Void> unused = server.frontend().pauseManagedZones();
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.SERVFAIL);
            server.frontend().beginManagedZones();
            assertThat(server.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                    .isEqualTo(Rcode.NOERROR);
        }
    }

    @Test
    void takesOverUpdatesOfOtherProcess() throws Exception {
        try (UpdateServer next = UpdateServer.start(directory)) {
            CompletableFuture<Void> unused = next.frontend().pauseManagedZones();
            try (UpdateServer before = UpdateServer.start(directory)) {
                assertThat(before.send(UpdateServer.adding("new.example.com", "192.0.2.9")))
                        .isEqualTo(Rcode.NOERROR);
            }
            Files.writeString(file, TransferFixture.head(7) + "edited A 192.0.2.5\n");
            assertThat(next.query("new.example.com", Type.A).getRcode()).isEqualTo(Rcode.NXDOMAIN);
            next.frontend().beginManagedZones();

            next.settled();
            assertThat(next.addresses("new.example.com")).containsExactly("192.0.2.9");
            assertThat(next.addresses("edited.example.com")).containsExactly("192.0.2.5");
            assertThat(next.serial()).isEqualTo(9);
        }
    }
}
