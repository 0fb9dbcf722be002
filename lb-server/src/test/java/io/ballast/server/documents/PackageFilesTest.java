package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** Tests the security settings in files that are part of a release and that no other test executes. */
class PackageFilesTest {

    private static final Path ROOT = Path.of("..");

    @Test
    void mavenWrapperVerifiesItsDownload() throws IOException {
        Properties wrapper = new Properties();
        try (Reader reader = Files.newBufferedReader(ROOT.resolve(".mvn/wrapper/maven-wrapper.properties"))) {
            wrapper.load(reader);
        }

        assertThat(wrapper.getProperty("distributionUrl")).startsWith("https://");
        assertThat(wrapper.getProperty("distributionSha256Sum")).matches("[0-9a-f]{64}");
        assertThat(Files.readString(ROOT.resolve("mvnw"))).contains("distributionSha256Sum");
    }

    /** {@code bin/release} sets these arguments and demands digests; see {@code ReleaseScriptTest}. */
    @Test
    void baseImagesAreArguments() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("docker/Dockerfile")).stream()
                        .filter(line -> line.startsWith("FROM ")))
                .containsExactly("FROM ${BUILD_IMAGE} AS build", "FROM ${RUN_IMAGE}");
        assertThat(Files.readString(ROOT.resolve("bin/package")))
                .contains("--build-arg \"BUILD_IMAGE=$LB_BUILD_IMAGE\"", "--build-arg \"RUN_IMAGE=$LB_RUN_IMAGE\"");
    }

    @Test
    void securityPolicyExplainsReportsAndChecks() throws IOException {
        assertThat(Files.readString(ROOT.resolve("SECURITY.md")))
                .contains(
                        "## Reporting a vulnerability",
                        "## Supported versions",
                        "META-INF/sbom/application.cdx.json",
                        "bin/reproducible");
    }

    @Test
    void otherUsersCannotReadFilesOfService() throws IOException {
        assertThat(Files.readAllLines(ROOT.resolve("lb-server/src/dist/ballast.service")))
                .contains("UMask=0027", "LogsDirectoryMode=0750", "StateDirectoryMode=0700", "NoNewPrivileges=yes");
    }
}
