import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ServiceAddress } from '../../../electron/contract/service.ts';
import { useWindowState } from '../../use-store.ts';
import { Button } from '../../ui/actions/button.tsx';
import { Dialog, type DialogProps } from '../../ui/dialog/dialog.tsx';
import { RadioList } from '../../ui/form/choice.tsx';
import { useFormat } from '../../ui/text/use-format.ts';
import { useServiceName } from '../../ui/text/use-service-name.ts';
import { useStatusOf } from '../../ui/text/use-status-of.ts';
import { type CostOfRecordings, pendingCostText } from './summary-text.ts';

export interface ServiceDialogProps {
  readonly open: boolean;
  /** The number of recordings to move. */
  readonly count: number;
  /** What an account charges for them; `null` while it is not known. */
  readonly cost: CostOfRecordings | null;
  /** The service that all of them have now; `null` if they differ. */
  readonly from: ServiceAddress | null;
  readonly onMove: (service: ServiceAddress) => void;
  readonly onClose: () => void;
  readonly finalFocus?: DialogProps['finalFocus'];
}

/** Moves recordings that have no job yet to another service. */
export function ServiceDialog({ open, count, cost, from, onMove, onClose, finalFocus }: ServiceDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const nameOf = useServiceName();
  const accounts = useWindowState((state) => state.settings.accounts);
  const services: readonly ServiceAddress[] = ['on-device', ...accounts].filter(
    (service) => service !== from,
  );
  const [pickedService, setPickedService] = useState<ServiceAddress | null>(null);
  const to = pickedService ?? services[0] ?? 'on-device';
  const balance = useStatusOf(to)?.balanceCredits ?? null;
  const cloudNote = (service: ServiceAddress): string =>
    service === to && cost !== null
      ? `${t('settings.cloudMeaning')}. ${pendingCostText(t, format, cost, balance).text}`
      : t('settings.cloudMeaning');
  return (
    <Dialog
      open={open}
      onClose={onClose}
      finalFocus={finalFocus}
      title={t('moveToService.title', { count })}
      note={t('moveToService.note')}
      actions={
        <>
          <Button onClick={onClose}>{t('action.cancel')}</Button>
          <Button
            variant="main"
            onClick={() => {
              onClose();
              onMove(to);
            }}
          >
            {t('moveToService.move')}
          </Button>
        </>
      }
    >
      <RadioList
        label={t('addSheet.service')}
        name="move-to"
        value={to}
        options={services.map((service) => ({
          value: service,
          label: nameOf(service),
          note: service === 'on-device' ? t('settings.onDeviceMeaning') : cloudNote(service),
        }))}
        onChange={setPickedService}
      />
    </Dialog>
  );
}
