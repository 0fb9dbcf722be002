package io.ballast.core.geo;

import static io.ballast.core.geo.GeoConfigs.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.ballast.core.backend.HealthStatus.Origin;
import io.ballast.core.config.geo.GeoConfig;
import io.ballast.core.config.geo.RegionConfig;
import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Event;
import io.ballast.core.net.IpAddress;
import io.ballast.core.testing.ManualScheduler;
import io.ballast.core.testing.MmdbFile;
import io.ballast.core.testing.MmdbRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GeoSourceTest {

    private static final String ADDRESS = "192.0.2.1";

    @TempDir
    private Path directory;

    private final ManualScheduler scheduler = new ManualScheduler();
    private final ControlPlane control = scheduler.controlPlane();
    private final Deque<Runnable> background = new ArrayDeque<>();
    private Executor files = Runnable::run;
    private Path file = Path.of("");
    private long version;

    @BeforeEach
    void writeFirstDatabase() throws IOException {
        file = directory.resolve("geo.mmdb");
        writeCountry("DE");
    }

    @Test
    void firstTableIsAvailableImmediately() throws IOException {
        GeoSource source = open();

        assertThat(regionOf(source)).isEqualTo("de");
        scheduler.runDue();
        assertThat(texts()).containsExactly("loaded Test-City of 2026-01-01, 1 networks: 4 ranges");
    }

    @Test
    void loadsChangedFileWhenStable() throws IOException {
        GeoSource source = open();
        List<RegionTable> published = new ArrayList<>();
        source.onChange(published::add);
        writeCountry("FR");

        scheduler.advance(GeoSource.INTERVAL);
        assertThat(background).as("work while the file may still be written").isEmpty();
        scheduler.advance(GeoSource.INTERVAL);
        runBackground();

        assertThat(regionOf(source)).isEqualTo("fr");
        assertThat(published).containsExactly(source.current());
        assertThat(control.timeline().recent()).extracting(Event::origin).containsExactly(Origin.START, Origin.FILE);
    }

    @Test
    void doesNotReadUnchangedFile() throws IOException {
        open();

        scheduler.advance(GeoSource.INTERVAL.multipliedBy(10));

        assertThat(background).isEmpty();
    }

    @Test
    void brokenFileIsReportedOnceAndTableIsKept() throws IOException {
        GeoSource source = open();
        RegionTable before = source.current();
        write("no database".getBytes(StandardCharsets.US_ASCII));

        for (int i = 0; i < 5; i++) {
            scheduler.advance(GeoSource.INTERVAL);
            runBackground();
        }

        assertThat(source.current()).isSameAs(before);
        assertThat(texts()).hasSize(2);
        assertThat(texts().get(1))
                .startsWith("the changed database was rejected; the previous one stays in use: " + file
                        + ": is not a valid MaxMind database: ");
    }

    @Test
    void loadsValidFileAfterBrokenFile() throws IOException {
        GeoSource source = open();
        write(new byte[10]);
        settle();
        writeCountry("FR");
        settle();

        assertThat(regionOf(source)).isEqualTo("fr");
    }

    @Test
    void deletedFileIsReportedAndTableIsKept() throws IOException {
        GeoSource source = open();
        Files.delete(file);
        settle();

        assertThat(regionOf(source)).isEqualTo("de");
        assertThat(texts().get(1)).endsWith(file + ": does not exist");
    }

    @Test
    void readsFileAgainWhenItChangesDuringRead() throws IOException {
        GeoSource source = open();
        writeCountry("FR");
        scheduler.advance(GeoSource.INTERVAL);
        scheduler.advance(GeoSource.INTERVAL);
        background.remove().run(); // reads the file that contains FR
        writeCountry("IT");
        scheduler.runDue();

        assertThat(regionOf(source)).isEqualTo("de");
        settle();
        assertThat(regionOf(source)).isEqualTo("it");
        assertThat(texts()).hasSize(2);
    }

    @Test
    void hangingDiskDoesNotBlockHealthChecks() throws IOException {
        Deque<Runnable> hanging = new ArrayDeque<>();
        files = hanging::add;
        open();
        AtomicBoolean decided = new AtomicBoolean();

        scheduler.advance(GeoSource.INTERVAL);
        control.execute(() -> decided.set(true));
        scheduler.runDue();

        assertThat(hanging).as("the files are looked at elsewhere").hasSize(1);
        assertThat(decided).isTrue();
    }

    @Test
    void throwingListenerDoesNotStopOthers() throws IOException {
        GeoSource source = open();
        List<RegionTable> published = new ArrayList<>();
        source.onChange(table -> {
            throw new IllegalStateException("a listener that fails");
        });
        source.onChange(published::add);
        writeCountry("FR");
        settle();

        assertThat(published).hasSize(1);
    }

    @Test
    void closedSourceStopsWatching() throws IOException {
        GeoSource source = open();
        source.close();
        writeCountry("FR");
        settle();
        settle();

        assertThat(regionOf(source)).isEqualTo("de");
        assertThat(scheduler.waiting()).isEmpty();
    }

    @Test
    void watchesNothingWithoutDatabase() throws IOException {
        GeoSource source = GeoSource.open(
                GeoConfigs.of(List.of(), region("near", "192.0.2.0/24"), RegionConfig.of("far")),
                control,
                background::add);
        scheduler.runDue();

        assertThat(regionOf(source)).isEqualTo("near");
        assertThat(scheduler.waiting()).isEmpty();
    }

    @Test
    void missingFileAtStartIsError() throws IOException {
        Files.delete(file);

        assertThatThrownBy(this::open).isInstanceOf(GeoDatabaseException.class).hasMessage(file + ": does not exist");
    }

    @Test
    void explainsPlacement() throws IOException {
        GeoSource source = open();

        assertThat(source.explain(IpAddress.parse(ADDRESS))).hasToString("de by country DE");
        assertThat(source.explain(IpAddress.parse("2001:db8::"))).hasToString("rest by default");
    }

    private GeoSource open() throws GeoDatabaseException {
        GeoConfig config = GeoConfigs.of(
                List.of(file), region("de", "DE"), region("fr", "FR"), region("it", "IT"), RegionConfig.of("rest"));
        return GeoSource.open(config, control, files, background::add);
    }

    private void settle() {
        scheduler.advance(GeoSource.INTERVAL);
        scheduler.advance(GeoSource.INTERVAL);
        runBackground();
    }

    private void runBackground() {
        while (!background.isEmpty()) {
            background.remove().run();
        }
        scheduler.runDue();
    }

    private void writeCountry(String country) throws IOException {
        write(MmdbFile.city()
                .put("192.0.2.0/24", MmdbRecords.country(country, "EU"))
                .bytes());
    }

    /**
     * Gives each version of the file a different modification time, even if the file system's clock is coarse.
     */
    private void write(byte[] bytes) throws IOException {
        Files.write(file, bytes);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_800_000_000_000L + 10_000 * version++));
    }

    private List<String> texts() {
        return control.timeline().recent().stream().map(Event::text).toList();
    }

    private static String regionOf(GeoSource source) {
        int found = source.current().find(IpAddress.parse(ADDRESS).bytes());
        return source.regions().name(RegionTable.region(found));
    }
}
