package io.ballast.server.documents;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Tests that the commands in docs/install.md name files of the source tree that exist. */
class InstallPageTest {

    private static final DocumentPage PAGE = new DocumentPage("docs/install.md");
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ (.+)$");
    private static final Pattern FILE = Pattern.compile("(?<![\\w/.-])((?:bin|docker|lb-server/src)/[\\w./-]+)");

    @Test
    void commandsNameExistingFiles() {
        List<String> files = PAGE.matches(COMMAND).stream()
                .flatMap(command -> FILE.matcher(command.group(1)).results())
                .map(file -> file.group(1))
                .distinct()
                .toList();

        assertThat(files)
                .hasSizeGreaterThan(8)
                .allSatisfy(file -> assertThat(DocumentPage.ROOT.resolve(file)).exists());
    }

    /** Tests that the page copies the same files as the image, because both need the same files. */
    @Test
    void copiesFilesThatImageCopies() throws Exception {
        String image = Files.readString(DocumentPage.ROOT.resolve("docker/Dockerfile"));
        String copied = "bin/lb bin/jdk.sh bin/archive.sh bin/limits.sh bin/jvm17.options bin/jvm25.options"
                + " bin/agent17.options bin/agent25.options /opt/ballast/bin";

        assertThat(image).contains("COPY " + copied);
        assertThat(PAGE.text()).contains("sudo cp " + copied);
    }
}
