package io.ballast.net.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.config.TlsFiles;
import io.ballast.net.testing.TestCertificate;
import io.netty.handler.codec.http2.Http2SecurityUtil;
import io.netty.handler.ssl.OpenSsl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsContextTest {

    @TempDir
    private Path directory;

    @Test
    void boringSslLoadsWhenPresent() {
        String system = System.getProperty("os.name") + " " + System.getProperty("os.arch");

        assertThat(OpenSsl.isAvailable())
                .as("on %s: %s", system, OpenSsl.unavailabilityCause())
                .isEqualTo(List.of("Linux amd64", "Linux aarch64").contains(system));
    }

    @Test
    void rejectsUnusableFilesAtStart() throws IOException {
        TlsFiles files = TestCertificate.create().write(directory);
        Files.writeString(files.certificate(), "");

        assertThatThrownBy(() -> TlsContext.open(files, List.of("dot")))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith(files.certificate() + ": no certificate");
    }

    @Test
    void usesCiphersAllowedByHttp2() {
        assertThat(ServerParameters.CIPHERS).isEqualTo(Http2SecurityUtil.CIPHERS);
    }
}
