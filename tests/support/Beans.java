/* SPDX-License-Identifier: MIT */
/* SPDX-FileCopyrightText: The collectd-jolokia authors */
/* A plain Java program with MBeans whose values are of every kind. Runs until
 * its standard input ends. */

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.AttributeNotFoundException;
import javax.management.DynamicMBean;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

public final class Beans implements DynamicMBean {
  private final Map<String, Object> values = new LinkedHashMap<>();

  public Object getAttribute(String name) throws AttributeNotFoundException {
    if (!values.containsKey(name))
      throw new AttributeNotFoundException(name);
    if (name.equals("Broken"))
      throw new IllegalStateException("this one always fails");
    return values.get(name);
  }

  public void setAttribute(Attribute attribute) {}

  public AttributeList getAttributes(String[] names) {
    AttributeList list = new AttributeList();
    for (String name : names)
      try {
        list.add(new Attribute(name, getAttribute(name)));
      } catch (Exception ignored) {
        // left out, as the interface has it
      }
    return list;
  }

  public AttributeList setAttributes(AttributeList list) { return list; }

  public Object invoke(String name, Object[] arguments, String[] signature) { return null; }

  public MBeanInfo getMBeanInfo() {
    MBeanAttributeInfo[] infos = new MBeanAttributeInfo[values.size()];
    int i = 0;
    for (Map.Entry<String, Object> entry : values.entrySet())
      infos[i++] = new MBeanAttributeInfo(
          entry.getKey(),
          entry.getValue() == null ? "java.lang.Long" : entry.getValue().getClass().getName(),
          entry.getKey(), true, false, false);
    return new MBeanInfo("Beans", "values of every kind", infos, null, null, null);
  }

  private static TabularDataSupport table(String... keys) throws Exception {
    CompositeType row = new CompositeType("row", "row", new String[] {"pool", "used", "idle"},
        new String[] {"pool", "used", "idle"},
        new OpenType<?>[] {SimpleType.STRING, SimpleType.LONG, SimpleType.INTEGER});
    TabularDataSupport table =
        new TabularDataSupport(new TabularType("table", "table", row, new String[] {"pool"}));
    for (int i = 0; i < keys.length; i++)
      table.put(new CompositeDataSupport(row, new String[] {"pool", "used", "idle"},
          new Object[] {keys[i], 10L + i, i}));
    return table;
  }

  private Beans fill() throws Exception {
    values.put("Huge", Long.MAX_VALUE);
    values.put("Odd", 9007199254740993L);
    values.put("Negative", -3);
    values.put("Fraction", 0.1);
    values.put("Nan", Double.NaN);
    values.put("Infinite", Double.POSITIVE_INFINITY);
    values.put("Started", true);
    values.put("State", "STARTED");
    values.put("Other", "RESTING");
    values.put("NumberAsText", "12");
    values.put("NoNumber", "12ms");
    values.put("Nothing", null);
    values.put("Broken", 1);
    values.put("x.y", 7);
    values.put("a/b", 8);
    values.put("In", 1000L);
    values.put("Out", 2000L);
    values.put("Usage", MemoryUsageView.of(new MemoryUsage(1, 2, 3, 4)));
    values.put("Table", table("first", "a/b", "with space"));
    return this;
  }

  /** What an MXBean makes of it. */
  private static final class MemoryUsageView {
    static Object of(MemoryUsage usage) throws Exception {
      String[] names = {"init", "used", "committed", "max"};
      CompositeType type = new CompositeType("usage", "usage", names, names,
          new OpenType<?>[] {SimpleType.LONG, SimpleType.LONG, SimpleType.LONG, SimpleType.LONG});
      return new CompositeDataSupport(type, names, new Object[] {
          usage.getInit(), usage.getUsed(), usage.getCommitted(), usage.getMax()});
    }
  }

  public static void main(String[] arguments) throws Exception {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    server.registerMBean(new Beans().fill(), new ObjectName("test:type=Kinds"));
    for (String name : new String[] {"plain", "a,b=\"c\"", "x/y", "*?\\", "\u00fc"})
      server.registerMBean(new Beans().fill(),
          new ObjectName("test:type=Named,name=" + ObjectName.quote(name)));
    while (System.in.read() >= 0)
      continue;
  }
}
