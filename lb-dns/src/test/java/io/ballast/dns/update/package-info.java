@NullMarked
package io.ballast.dns.update;

import org.jspecify.annotations.NullMarked;
