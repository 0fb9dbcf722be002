package io.ballast.server.restart;

import java.io.IOException;
import java.nio.charset.Charset;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The command that started this process, used to start another process in the same way. */
final class LaunchCommand {

    /** The environment variable with the path of the launcher, which selects Java, options and class archive. */
    private static final String LAUNCHER = "LB_LAUNCHER";

    private static final Path COMMAND_LINE = Path.of("/proc/self/cmdline");
    private static final String JAR = "-jar";

    private LaunchCommand() {}

    /** @throws IOException if the system does not provide the command line */
    static List<String> ofProcess() throws IOException {
        String line = Files.readString(COMMAND_LINE, Charset.defaultCharset());
        List<String> words = List.of(line.split("\0", -1));
        return of(
                words.subList(0, words.size() - 1),
                Optional.ofNullable(System.getenv(LAUNCHER))); // drops the empty text after the last NUL
    }

    /** @param line command line of the process: Java, its options, the program, and its arguments */
    static List<String> of(List<String> line, Optional<String> launcher) {
        int jar = line.indexOf(JAR);
        if (launcher.isEmpty() || jar < 0) {
            return line;
        }
        List<String> command = new ArrayList<>();
        command.add(launcher.get());
        command.addAll(line.subList(jar + 2, line.size()));
        return command;
    }
}
