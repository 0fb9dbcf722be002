package io.ballast.dns.update;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Record;

class KeptZoneTest {

    private static final String SOA = "example.com.\t300\tIN\tSOA\tns1.example.com. admin.example.com. %d 1 1 1 1\n";

    @TempDir
    private Path directory;

    private KeptZone zone;

    @BeforeEach
    void open() {
        zone = new KeptZone(directory, "example.com");
    }

    /** As it is for a moment amid a change, of this process or of another one that still has the directory. */
    private void leaveAmidAChange() throws IOException {
        Files.writeString(directory.resolve("example.com.before"), SOA.formatted(7));
        Files.writeString(directory.resolve("example.com.prepared"), SOA.formatted(8));
    }

    private String current() throws IOException {
        return Files.readString(zone.current().orElseThrow());
    }

    private void write(int serial) throws IOException {
        Path version = Files.writeString(directory.resolve("version"), SOA.formatted(serial));
        zone.write(sink -> {
            for (Record each : zone.read(version)) {
                sink.accept(each);
            }
        });
    }

    @Test
    void whoReadsAmidAChangeGetsTheVersionBeforeAndMovesNothing() throws IOException {
        leaveAmidAChange();

        assertThat(current()).contains(" 7 ");

        assertThat(directory.resolve("example.com.zone")).doesNotExist();
        assertThat(directory.resolve("example.com.before")).exists();
    }

    @Test
    void whatTheEndOfAProcessLeftIsTheVersionThatAChangeCanBeUndoneTo() throws IOException {
        leaveAmidAChange();

        write(9);
        assertThat(current()).contains(" 9 ");
        zone.undo();

        assertThat(current()).contains(" 7 ");
    }
}
