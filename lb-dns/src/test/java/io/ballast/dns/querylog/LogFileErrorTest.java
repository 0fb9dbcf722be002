package io.ballast.dns.querylog;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.dns.config.DnsQueryLogConfig;
import io.ballast.dns.config.DnstapConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the errors for log files that cannot be opened. The messages give the key, the file and the reason,
 * but no Java class.
 */
class LogFileErrorTest {

    @TempDir
    private Path directory;

    @Test
    void reportsMissingDirectoryOfQueryLog() {
        Path file = directory.resolve("missing/queries.log");

        assertThatThrownBy(() -> QueryFile.open(file, DnsQueryLogConfig.DEFAULT, new LogCounts()))
                .isInstanceOf(IOException.class)
                .hasMessage("dns.query_log.file: cannot write " + file + ": no such file or directory");
    }

    @Test
    void reportsMissingDirectoryOfDnstap() {
        Path file = directory.resolve("missing/queries.tap");
        DnstapConfig config = new DnstapConfig(
                Optional.empty(),
                Optional.of(file),
                DnsQueryLogConfig.DEFAULT.rotate(),
                /* identity= */ "a",
                /* version= */ "1",
                Set.of(DnstapConfig.MessageKind.CLIENT_QUERY));

        assertThatThrownBy(() -> Dnstap.open(config, new LogCounts()))
                .isInstanceOf(IOException.class)
                .hasMessage("dns.dnstap.file: cannot write " + file + ": no such file or directory");
    }
}
