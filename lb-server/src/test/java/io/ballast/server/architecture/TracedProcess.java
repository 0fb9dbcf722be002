package io.ballast.server.architecture;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ClassType;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.Method;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.MethodEntryEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.MethodEntryRequest;
import io.ballast.server.Main;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A balancer in a separate process. A debugger records the method calls on its event loop. During the recording, a
 * request takes about a thousand times longer.
 */
final class TracedProcess implements AutoCloseable {

    private static final String PACKAGES = "io.ballast.";
    private static final String EVENT_LOOPS = "worker-";
    private static final String CONNECT_MILLIS = "60000";
    private static final Pattern LISTENER = Pattern.compile("serves=http://127\\.0\\.0\\.1:(\\d+)");

    private final Process process;
    private final VirtualMachine machine;
    private final int port;
    private final List<TracedCall> outermost = new ArrayList<>();
    private final List<TracedCall> stack = new ArrayList<>();

    private TracedProcess(Process process, VirtualMachine machine, int port) {
        this.process = process;
        this.machine = machine;
        this.port = port;
    }

    /**
     * Starts {@code lb run}, and waits until it listens.
     *
     * @param config a configuration file with one event loop and one HTTP listener on 127.0.0.1
     */
    static TracedProcess start(Path config) throws IOException, IllegalConnectorArgumentsException {
        ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
                .filter(candidate -> candidate.name().equals("com.sun.jdi.SocketListen"))
                .findFirst()
                .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("timeout").setValue(CONNECT_MILLIS);
        String address = connector.startListening(arguments);
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-agentlib:jdwp=transport=dt_socket,server=n,suspend=n,address=" + address,
                        "-cp",
                        classPath(),
                        Main.class.getName(),
                        "run",
                        config.toString())
                .redirectErrorStream(true)
                .start();
        try {
            VirtualMachine machine = connector.accept(arguments);
            return new TracedProcess(process, machine, awaitPort(process.inputReader()));
        } catch (IOException | IllegalConnectorArgumentsException | RuntimeException e) {
            process.destroyForcibly();
            throw e;
        } finally {
            connector.stopListening(arguments);
        }
    }

    /** Returns the class path of this process without tests, because their settings hide most log lines. */
    private static String classPath() {
        return Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(entry -> !entry.endsWith("test-classes") && !entry.endsWith("-tests.jar"))
                .collect(Collectors.joining(File.pathSeparator));
    }

    /** Returns the port of the listener, from the line of the log that reports it. */
    private static int awaitPort(BufferedReader output) throws IOException {
        StringBuilder log = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            Matcher listener = LISTENER.matcher(line);
            if (listener.find()) {
                return Integer.parseInt(listener.group(1));
            }
            log.append(line).append('\n');
        }
        throw new IOException("the balancer does not listen:\n" + log);
    }

    int port() {
        return port;
    }

    /** Records the calls on the event loop from now on. */
    void record() {
        MethodEntryRequest request = machine.eventRequestManager().createMethodEntryRequest();
        request.addClassFilter(PACKAGES + "*");
        request.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
        request.enable();
        Thread reader = new Thread(this::readEvents, "traced-calls");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Stops recording.
     *
     * @return the calls by libraries, in order, with the calls below them. Calls that are not finished may be incomplete.
     */
    List<TracedCall> stopRecording() {
        synchronized (outermost) {
            machine.eventRequestManager()
                    .deleteEventRequests(machine.eventRequestManager().methodEntryRequests());
            return List.copyOf(outermost);
        }
    }

    private void readEvents() {
        try {
            while (true) {
                EventSet events = machine.eventQueue().remove();
                synchronized (outermost) {
                    for (Event event : events) {
                        if (event instanceof MethodEntryEvent entry
                                && entry.thread().name().startsWith(EVENT_LOOPS)) {
                            add(entry.thread(), entry.method());
                        }
                    }
                }
                events.resume();
            }
        } catch (VMDisconnectedException e) {
            return; // the process was closed
        } catch (InterruptedException | IncompatibleThreadStateException e) {
            throw new IllegalStateException(e);
        }
    }

    private void add(ThreadReference thread, Method method) throws IncompatibleThreadStateException {
        int depth = (int) thread.frames().stream()
                .filter(frame -> frame.location().declaringType().name().startsWith(PACKAGES))
                .count();
        ReferenceType type = method.declaringType();
        TracedCall call = new TracedCall(
                type.name(), type instanceof ClassType declared && declared.isEnum(), method.bytecodes().length);
        stack.subList(Math.min(depth - 1, stack.size()), stack.size()).clear();
        if (stack.isEmpty()) {
            outermost.add(call);
        } else {
            stack.get(stack.size() - 1).add(call);
        }
        stack.add(call);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }
}
