import java.util.jar.JarFile;

/** Prints the entries of a jar to stdout and its main manifest attributes to stderr. */
public class JarEntries {

    public static void main(String[] args) throws Exception {
        try (JarFile jar = new JarFile(args[0])) {
            jar.stream().forEach(entry -> System.out.println(entry.getName()));
            jar.getManifest().getMainAttributes().forEach((name, value) -> System.err.println(name + ": " + value));
        }
    }
}
