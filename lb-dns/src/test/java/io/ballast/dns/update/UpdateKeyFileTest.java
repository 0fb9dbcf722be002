package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsControlConfig;
import io.ballast.dns.config.TsigKeyConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.TransferWorld;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;
import org.xbill.DNS.Update;

/** Tests that an update uses the keys of the active configuration. */
class UpdateKeyFileTest {

    @TempDir
    private Path directory;

    @Test
    void updateDoesNotReadKeyFile() throws Exception {
        Files.writeString(directory.resolve("zone"), TransferWorld.head(7));
        Path secret = Files.writeString(directory.resolve("secret"), TransferWorld.SECRET);
        try (UpdateServer server =
                new UpdateServer(directory, UpdateServer.byKey(), Optional.empty(), TransferWorld.byKey())) {
            DnsConfig config = server.config(UpdateServer.byKey(), Optional.empty(), TransferWorld.byKey());
            TsigKeyConfig key = new TsigKeyConfig(
                    TransferWorld.KEY, TsigKeyConfig.DEFAULT_ALGORITHM, Optional.empty(), Optional.of(secret));
            server.reload(config.withControl(new DnsControlConfig(List.of(key), DnsControlConfig.DEFAULT_TRANSFERS)));
            Files.delete(secret);

            Update update = new Update(Messages.name("example.com"));
            update.add(Messages.name("new.example.com"), Type.A, 60, "192.0.2.9");

            assertThat(server.send(update)).isEqualTo(Rcode.NOERROR);
            assertThat(Messages.answers(server.ask("new.example.com", Type.A))).containsExactly("192.0.2.9");
        }
    }
}
