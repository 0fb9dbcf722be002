package io.ballast.cli;

import io.ballast.core.ErrorText;
import io.ballast.dashboard.access.Secrets;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code lb password}: prints the hash of a password for the configuration. */
@Command(
        name = "password",
        description =
                "Reads a password twice from the terminal, or once from standard input, and prints its bcrypt hash for"
                        + " dashboard.users and for policies of the kind basic. Exit code 0: done; 1: the password is not"
                        + " usable.",
        mixinStandardHelpOptions = true)
public final class PasswordCommand implements Callable<Integer> {

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() {
        try {
            String hash = Secrets.hashPassword(read());
            spec.commandLine().getOut().println(hash);
            spec.commandLine().getOut().flush();
            return 0;
        } catch (IOException | IllegalArgumentException e) {
            spec.commandLine().getErr().println("lb: " + ErrorText.of(e));
            spec.commandLine().getErr().flush();
            return 1;
        }
    }

    @SuppressWarnings("SystemConsoleNull") // Java 17 returns null without a terminal
    private static String read() throws IOException {
        Console console = System.console();
        if (console == null || System.in.available() > 0) {
            return readStandardInput();
        }
        char[] first = console.readPassword("password: ");
        char[] second = first == null ? null : console.readPassword("repeat the password: ");
        if (first == null || second == null || !Arrays.equals(first, second)) {
            throw new IOException("the passwords do not match; enter the same password twice");
        }
        return new String(first);
    }

    private static String readStandardInput() throws IOException {
        String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
        if (line == null) {
            throw new IOException("no password on standard input (expected: one line)");
        }
        return line;
    }
}
