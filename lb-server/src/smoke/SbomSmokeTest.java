import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.Set;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;

/**
 * Checks that the list of components in the packaged jar (CycloneDX) names every library whose Maven coordinates are in
 * the jar, with the version. Usage: {@code SbomSmokeTest <lb.jar>}
 */
public class SbomSmokeTest {

    private static final String SBOM = "META-INF/sbom/application.cdx.json";
    private static final int MIN_LIBRARIES = 20;
    /** Libraries inside other libraries: Netty and Nimbus JOSE + JWT contain copies of them. */
    private static final Set<String> EMBEDDED = Set.of(
            "com.github.stephenc.jcip/jcip-annotations", "com.google.code.gson/gson", "org.jctools/jctools-core",
            "org.jctools/jctools-core-jdk11");

    public static void main(String[] args) throws IOException {
        int libraries = 0;
        try (JarFile jar = new JarFile(args[0])) {
            JarEntry entry = jar.getJarEntry(SBOM);
            expect(entry != null, SBOM);
            String sbom = new String(jar.getInputStream(entry).readAllBytes(), StandardCharsets.UTF_8);
            expect(sbom.contains("\"CycloneDX\""), "a list in the format of CycloneDX");
            expect(!sbom.contains("\"serialNumber\""), "no serial number, which would differ in each build");
            for (JarEntry each : jar.stream().toList()) {
                if (each.getName().matches("META-INF/maven/.+/pom\\.properties")) {
                    String library = library(jar, each);
                    if (!EMBEDDED.contains(library.substring(0, library.indexOf('@')))) {
                        expect(sbom.contains("\"pkg:maven/" + library + "?"), "the component " + library);
                        libraries++;
                    }
                }
            }
        }
        expect(libraries >= MIN_LIBRARIES, "at least " + MIN_LIBRARIES + " libraries with coordinates, not " + libraries);
    }

    private static String library(JarFile jar, JarEntry entry) throws IOException {
        Properties coordinates = new Properties();
        try (InputStream in = jar.getInputStream(entry)) {
            coordinates.load(in);
        }
        return coordinates.getProperty("groupId") + "/" + coordinates.getProperty("artifactId") + "@"
                + coordinates.getProperty("version");
    }

    private static void expect(boolean holds, String expected) {
        if (!holds) {
            System.out.println("expected " + expected);
            System.exit(1);
        }
    }
}
