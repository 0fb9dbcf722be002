package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;
import org.xbill.DNS.Update;

/** Tests that only a reload reads the key files: new zone content is served with the active keys. */
class UpdateKeyFileTest {

    @TempDir
    private Path directory;

    private Path file;
    private Path secret;

    @BeforeEach
    void writeFiles() throws IOException {
        file = Files.writeString(directory.resolve("zone"), TransferFixture.head(7));
        secret = Files.writeString(directory.resolve("secret"), TransferFixture.SECRET);
    }

    @Test
    void updateDoesNotReadKeyFile() throws Exception {
        try (UpdateServer server = serverWithKeyFile()) {
            Files.delete(secret);

            assertThat(server.send(addition())).isEqualTo(Rcode.NOERROR);
            assertThat(Messages.answers(server.query("new.example.com", Type.A)))
                    .containsExactly("192.0.2.9");
        }
    }

    @Test
    void takeoverOfDirectoryDoesNotReadKeyFile() throws Exception {
        try (UpdateServer server = serverWithKeyFile()) {
            assertThat(server.send(addition())).isEqualTo(Rcode.NOERROR);
            server.frontend().pauseManagedZones().get();
            Files.writeString(file, TransferFixture.head(7) + "edited A 192.0.2.5\n");
            Files.delete(secret);

            server.frontend().beginManagedZones();

            server.settled();
            assertThat(Messages.answers(server.query("edited.example.com", Type.A)))
                    .containsExactly("192.0.2.5");
            assertThat(Messages.answers(server.query("new.example.com", Type.A)))
                    .containsExactly("192.0.2.9");
        }
    }

    private UpdateServer serverWithKeyFile() throws Exception {
        UpdateServer server =
                new UpdateServer(directory, UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey());
        DnsConfig config = server.config(UpdateServer.byKey(), Optional.empty(), TransferFixture.byKey());
        TsigKeyConfig key = new TsigKeyConfig(
                TransferFixture.KEY, TsigKeyConfig.DEFAULT_ALGORITHM, Optional.empty(), Optional.of(secret));
        server.reload(config.withControl(new DnsControlConfig(List.of(key), DnsControlConfig.DEFAULT_TRANSFERS)));
        return server;
    }

    private static Update addition() throws IOException {
        Update update = new Update(Messages.name("example.com"));
        update.add(Messages.name("new.example.com"), Type.A, 60, "192.0.2.9");
        return update;
    }
}
