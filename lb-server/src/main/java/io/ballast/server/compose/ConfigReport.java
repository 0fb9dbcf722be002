package io.ballast.server.compose;

import io.ballast.config.load.ConfigException;
import io.ballast.config.load.LoadedConfig;
import io.ballast.config.yaml.Problem;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;

/** Prints the problems of configuration files, one line each. */
public record ConfigReport(PrintWriter err) {

    public void warnings(LoadedConfig loaded) {
        warnings(loaded.warnings());
    }

    /** Prints warnings about files that a configuration names. */
    public void warnings(Path file, List<String> warnings) {
        warnings.forEach(warning -> err.println(file + ": warning: " + warning));
        err.flush();
    }

    /** Prints notes that are not warnings. */
    public void notes(Path file, List<String> notes) {
        notes.forEach(note -> err.println(file + ": note: " + note));
        err.flush();
    }

    /** Prints all warnings and problems; returns the exit code. */
    public int failure(ConfigException failure) {
        warnings(failure.warnings());
        failure.problems().forEach(err::println);
        err.flush();
        return ConfigException.EXIT_CODE;
    }

    /** Prints problems of a file that can be read; returns the exit code. */
    public int failure(Path file, List<String> problems) {
        problems.forEach(problem -> err.println(file + ": " + problem));
        err.flush();
        return ConfigException.EXIT_CODE;
    }

    private void warnings(List<Problem> warnings) {
        for (Problem warning : warnings) {
            String path = warning.path().isEmpty() ? "" : warning.path() + ": ";
            err.println(warning.place() + ": warning: " + path + warning.message());
        }
        err.flush();
    }
}
