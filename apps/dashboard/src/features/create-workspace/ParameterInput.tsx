import { Badge, Group, MultiSelect, Radio, Select, Stack, Switch, TagsInput, Text, TextInput, Textarea } from '@mantine/core';
import type { RichParameter, RichParameterOption } from '@berth/domain';
import { takesSeveral } from '@berth/domain';
import { TemplateIcon } from '../templates/TemplateIcon.tsx';
import { BoundedNumber } from './BoundedNumber.tsx';
import { listItems, parameterLabel } from './parameter-form.ts';
import classes from './ParameterInput.module.css';

/** Up to here, options are all shown at once; more of them go into a list with search. */
const RADIO_OPTIONS_MAX = 6;

interface Props {
  readonly parameter: RichParameter;
  readonly value: string;
  /** Shown at the field; empty for none. */
  readonly problem: string;
  readonly onChange: (value: string) => void;
}

/** The control that fits a parameter's type and options. */
export function ParameterInput({ parameter, value, problem, onChange }: Props): React.JSX.Element {
  const label = parameterLabel(parameter);
  const common = {
    label: <ParameterLabel parameter={parameter} label={label} />,
    description: parameter.descriptionPlaintext === '' ? parameter.description : parameter.descriptionPlaintext,
    required: parameter.required,
    error: problem === '' ? undefined : problem,
    'aria-label': label,
  };
  if (parameter.options.length > 0) {
    const data = parameter.options.map((option) => ({ value: option.value, label: option.name }));
    const renderOption = ({ option: { value: chosen } }: { option: { value: string } }): React.ReactNode => {
      const option = parameter.options.find((known) => known.value === chosen);
      return option === undefined ? null : <OptionWords option={option} />;
    };
    if (takesSeveral(parameter)) {
      return (
        <MultiSelect
          {...common}
          data={data}
          renderOption={renderOption}
          value={listItems(value)}
          onChange={(items) => onChange(JSON.stringify(items))}
          placeholder={listItems(value).length === 0 ? 'Choose any number' : ''}
          searchable
          hidePickedOptions
        />
      );
    }
    if (parameter.options.length > RADIO_OPTIONS_MAX) {
      return (
        <Select
          {...common}
          data={data}
          renderOption={renderOption}
          value={value === '' ? null : value}
          onChange={(next) => onChange(next ?? '')}
          placeholder="Choose one"
          searchable
          allowDeselect={!parameter.required}
        />
      );
    }
    return (
      <Radio.Group {...common} value={value} onChange={onChange}>
        <Stack gap={8} mt={8}>
          {parameter.options.map((option) => (
            <Radio.Card key={option.value} value={option.value} p="sm" className={classes['option'] ?? ''} aria-label={option.name}>
              <Group gap="sm" wrap="nowrap" align="flex-start">
                <Radio.Indicator mt={2} />
                <OptionWords option={option} />
              </Group>
            </Radio.Card>
          ))}
        </Stack>
      </Radio.Group>
    );
  }
  switch (parameter.type) {
    case 'bool':
      return <Switch {...common} checked={value === 'true'} onChange={(event) => onChange(String(event.currentTarget.checked))} />;
    case 'number':
      return <BoundedNumber {...common} min={parameter.validationMin} max={parameter.validationMax} value={value} onChange={onChange} />;
    case 'list(string)':
      return (
        <TagsInput
          {...common}
          value={listItems(value)}
          onChange={(items) => onChange(items.length === 0 ? '' : JSON.stringify(items))}
          placeholder="Type one and press Enter"
        />
      );
    case 'string':
      return value.includes('\n') || parameter.defaultValue.includes('\n') ? (
        <Textarea {...common} autosize minRows={3} maxRows={12} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <TextInput {...common} value={value} onChange={(event) => onChange(event.currentTarget.value)} />
      );
  }
}

function OptionWords({ option }: { option: RichParameterOption }): React.JSX.Element {
  return (
    <Group gap="sm" wrap="nowrap" align="flex-start" miw={0}>
      {option.icon !== '' && <TemplateIcon icon={option.icon} name={option.name} size={22} />}
      <div style={{ minWidth: 0 }}>
        <Text size="sm" fw={500} className="wrap-anywhere">
          {option.name}
        </Text>
        {option.description !== '' && (
          <Text size="xs" c="dimmed">
            {option.description}
          </Text>
        )}
      </div>
    </Group>
  );
}

/** The name, and whether the answer is for good or for one build only. */
function ParameterLabel({ parameter, label }: { parameter: RichParameter; label: string }): React.JSX.Element {
  return (
    <Group component="span" gap={8} display="inline-flex">
      {parameter.icon !== '' && <TemplateIcon icon={parameter.icon} name={parameter.name} size={18} />}
      {label}
      {!parameter.mutable && (
        <Badge component="span" size="xs" color="gray">
          Cannot be changed later
        </Badge>
      )}
      {parameter.ephemeral && (
        <Badge component="span" size="xs" color="violet">
          For this build only
        </Badge>
      )}
    </Group>
  );
}
