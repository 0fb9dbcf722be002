package io.ballast.core;

import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.UnresolvedAddressException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Locale;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/**
 * Describes an exception in words for operators. The text is never {@code null}, never empty, and never only the name
 * of a file or of a Java class. Messages of more than {@value #MAX_CHARS} characters are truncated, because some of
 * them quote data from another server. Thread-safe.
 */
public final class ErrorText {

    static final int MAX_CHARS = 2000;

    private ErrorText() {}

    /**
     * Returns the error message. If a file operation failed, the message begins with the file name: {@code
     * /etc/x: permission denied}.
     */
    public static String of(Throwable error) {
        Throwable cause = unwrap(error);
        if (cause instanceof FileSystemException about && about.getFile() != null) {
            return about.getFile() + ": " + reason(about);
        }
        return reason(cause);
    }

    /** Returns the error message without the file name: {@code permission denied}. */
    public static String reason(Throwable error) {
        Throwable cause = unwrap(error);
        if (cause instanceof FileSystemException about) {
            return ofFileSystem(about);
        }
        String message = cause.getMessage();
        if (cause instanceof UnknownHostException && message != null && message.indexOf(' ') < 0) {
            return truncated(message) + ": unknown host";
        }
        return message == null || message.isBlank() ? ofType(cause) : truncated(message);
    }

    private static String truncated(String message) {
        if (message.length() <= MAX_CHARS) {
            return message;
        }
        int end = Character.isHighSurrogate(message.charAt(MAX_CHARS - 1)) ? MAX_CHARS - 1 : MAX_CHARS;
        return message.substring(0, end) + "… (" + message.length() + " characters)";
    }

    private static Throwable unwrap(Throwable error) {
        Throwable cause = error;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private static String ofFileSystem(FileSystemException about) {
        if (about instanceof NoSuchFileException) {
            return "no such file or directory";
        }
        if (about instanceof AccessDeniedException) {
            return "permission denied";
        }
        if (about instanceof NotDirectoryException) {
            return "not a directory";
        }
        if (about instanceof FileAlreadyExistsException) {
            return "already exists";
        }
        if (about instanceof DirectoryNotEmptyException) {
            return "the directory is not empty";
        }
        if (about instanceof FileSystemLoopException) {
            return "symbolic links form a loop";
        }
        String reason = about.getReason();
        if (reason == null || reason.isBlank()) {
            return "the file system rejected the operation";
        }
        return reason.substring(0, 1).toLowerCase(Locale.ROOT) + reason.substring(1);
    }

    /** Describes JDK exceptions without a message. */
    private static String ofType(Throwable cause) {
        if (cause instanceof ConnectException) {
            return "cannot connect";
        }
        if (cause instanceof NoRouteToHostException) {
            return "no route to host";
        }
        if (cause instanceof UnresolvedAddressException || cause instanceof UnknownHostException) {
            return "unknown host";
        }
        if (cause instanceof SocketTimeoutException || cause instanceof TimeoutException) {
            return "no answer in time";
        }
        if (cause instanceof ClosedChannelException) {
            return "the connection is closed";
        }
        if (cause instanceof InterruptedException || cause instanceof CancellationException) {
            return "cancelled";
        }
        // Converts the class name to words, for example PortUnreachableException to "port unreachable".
        String name = cause.getClass().getSimpleName().replaceFirst("(Exception|Error)$", "");
        String words = name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", " ").toLowerCase(Locale.ROOT);
        return words.isEmpty() ? "unknown error" : words;
    }
}
