/** What was asked and how it was answered, told off the threads that answer. */
@NullMarked
package io.ballast.dns.querylog;

import org.jspecify.annotations.NullMarked;
