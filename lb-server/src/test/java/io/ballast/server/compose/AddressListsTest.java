package io.ballast.server.compose;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.control.ReloadReport.Outcome;
import io.ballast.core.testing.MmdbFile;
import io.ballast.core.testing.MmdbRecords;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests address lists with files and locations in a whole process. */
class AddressListsTest {

    @RegisterExtension
    final ProcessFixture process = new ProcessFixture();

    @TempDir
    private Path directory;

    private StartedBalancer start(String text) throws Exception {
        return process.start(directory, text);
    }

    private String config(String list, String geo) {
        return """
            policies: {list: {ip: %s}}
            listeners: [{bind: 127.0.0.1:0, policies: [list], pool: web}]
            pools: {web: {backends: ["%s"]}}
            dashboard: {bind: 127.0.0.1:0}
            data_dir: data
            %s
            """.formatted(list, process.backend(), geo);
    }

    @Test
    void changedFileTakesEffectWithoutReloadAndWithReload() throws Exception {
        Path file = write("198.51.100.7\n");
        String text = config("{deny: [{file: " + file + "}]}", "");
        StartedBalancer balancer = start(text);
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);

        write("198.51.100.7\n127.0.0.0/8\n");
        awaitStatus(balancer, 403);

        write("198.51.100.7 # again\n");
        assertThat(balancer.reload(text).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);

        write("no address\n");
        assertThat(balancer.reload(text).outcome()).isEqualTo(Outcome.REFUSED);
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);
    }

    @Test
    void decidesByCountryAndAutonomousSystem() throws Exception {
        Path city = MmdbFile.city()
                .put("127.0.0.0/8", MmdbRecords.country("DE", "EU"))
                .write(directory.resolve("city.mmdb"));
        Path asn = MmdbFile.asn().put("127.0.0.0/9", MmdbRecords.asn(64500)).write(directory.resolve("asn.mmdb"));
        String geo = "geo: {database: [" + city + ", " + asn + "]}";

        StartedBalancer balancer = start(config("{deny: [{country: [FR, DE]}]}", geo));
        assertThat(balancer.get("/").statusCode()).isEqualTo(403);

        reload(balancer, config("{deny: [{country: FR}]}", geo), 200);
        reload(balancer, config("{allow: [{country: DE}], deny: all}", geo), 200);
        reload(balancer, config("{allow: [{country: FR}], deny: all}", geo), 403);
        reload(balancer, config("{deny: [{asn: 64500}]}", geo), 403);
        reload(balancer, config("{allow: [{asn: 64500}], deny: [{country: DE}]}", geo), 200);
        reload(balancer, config("{allow: [{asn: 64501}], deny: [{country: DE}]}", geo), 403);
        reload(balancer, config("{deny: [{country: DE}]}", "geo: {database: " + asn + "}"), 200);
        reload(balancer, config("{deny: [{country: DE}]}", geo), 403);
    }

    @Test
    void changedDatabaseTakesEffect() throws Exception {
        Path city = MmdbFile.city()
                .put("127.0.0.0/8", MmdbRecords.country("DE", "EU"))
                .write(directory.resolve("city.mmdb"));
        StartedBalancer balancer =
                start(config("{allow: [{country: DE}], deny: all}", "geo: {database: " + city + "}"));
        assertThat(balancer.get("/").statusCode()).isEqualTo(200);

        Path fresh = MmdbFile.city()
                .put("127.0.0.0/8", MmdbRecords.country("NO", "EU"))
                .write(directory.resolve("fresh.mmdb"));
        Files.move(fresh, city, StandardCopyOption.REPLACE_EXISTING);

        awaitStatus(balancer, 403);
    }

    private static void reload(StartedBalancer balancer, String text, int status) throws Exception {
        assertThat(balancer.reload(text).outcome()).isEqualTo(Outcome.APPLIED);
        assertThat(balancer.get("/").statusCode()).as(text).isEqualTo(status);
    }

    private static void awaitStatus(StartedBalancer balancer, int status) throws Exception {
        StartedBalancer.await(() -> balancer.get("/").statusCode() == status);
    }

    /** Replaces the file by renaming a new file, like tools that generate lists. */
    private Path write(String text) throws Exception {
        Path fresh = Files.writeString(directory.resolve("fresh.txt"), text);
        return Files.move(fresh, directory.resolve("list.txt"), StandardCopyOption.REPLACE_EXISTING);
    }
}
